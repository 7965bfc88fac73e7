// Dominó's words in Brazilian Portuguese.

export const pt = {
  ordinal: (number: number) => `${number}ª`,
  points: (count: number) => (count === 1 ? "1 ponto" : `${count} pontos`),
  score: {
    label: "Placar",
    ours: "Nós",
    theirs: "Eles",
    both: (ours: number, theirs: number) => `Nós ${ours}, eles ${theirs}.`,
    each: (first: string, points: number, second: string, others: number) =>
      `${first} ${points}; ${second} ${others}.`,
  },
  ends: { left: "esquerda", right: "direita" },
  board: {
    round: (number: string) => `${number} rodada`,
    line: "Peças na mesa",
    empty: "Nenhuma peça na mesa.",
    lineIs: (tiles: string, left: number, right: number) =>
      `Da esquerda para a direita: ${tiles}. Pontas: ${left} e ${right}.`,
    tile: (low: number, high: number) => `${low}-${high}`,
    tiles: (count: number) => (count === 1 ? "1 peça" : `${count} peças`),
    myTiles: "Suas peças",
    myMoves: "Escolha da ponta",
    myTurn: "Sua vez",
    passed: "passou",
    passedOn: (left: number, right: number) =>
      left === right ? `Não tinha ${left}` : `Não tinha ${left} nem ${right}`,
    starter: "saída",
    starterTitle: "Abriu, ou abre, esta rodada",
  },
  prompt: {
    over: "Fim de jogo.",
    open: "Sua vez: saia com qualquer peça.",
    openWith: (tile: string) => `Sua vez: saia com o ${tile}.`,
    play: (left: number, right: number) =>
      left === right ? `Sua vez: as duas pontas são ${left}.` : `Sua vez: encaixe no ${left} ou no ${right}.`,
    choose: (tile: string) => `Em que ponta vai o ${tile}?`,
    turnOf: (name: string) => `Vez de ${name}.`,
  },
  actions: {
    left: "Esquerda",
    right: "Direita",
    onto: (number: number) => `no ${number}`,
    cancel: "Outra peça",
  },
  events: {
    dealt: (round: string, name: string) => `${round} rodada: ${name} sai.`,
    dealtWith: (round: string, name: string, tile: string) => `${round} rodada: ${name} sai com o ${tile}.`,
    where: (round: string) => `${round} rodada.`,
    opened: (name: string, tile: string) => `${name} saiu com ${tile}.`,
    played: (name: string, tile: string, end: string, left: number, right: number) =>
      `${name} jogou ${tile} na ${end}: pontas ${left} e ${right}.`,
    passed: (name: string) => `${name} passou.`,
    wentOut: (name: string) => `${name} bateu!`,
    blocked: (name: string) => `${name} trancou a mesa.`,
    blockedTied: (name: string) => `${name} trancou a mesa com pintas iguais, e perde.`,
    left: (hands: string) => `Pintas na mão: ${hands}.`,
    hand: (name: string, pips: number) => `${name} ${pips}`,
    roundWon: (isOurs: boolean, points: string) => `${isOurs ? "Nós marcamos" : "Eles marcaram"} ${points}.`,
    roundWonBy: (names: string, points: string) => `${names} marcaram ${points}.`,
    matchWon: "Fim de jogo: vitória nossa!",
    matchLost: "Fim de jogo: vitória deles.",
    matchWonBy: (names: string) => `Fim de jogo: vitória de ${names}.`,
  },
  speech: { passed: "Passo!", wentOut: "Bati!", blocked: "Tranquei!" },
  history: {
    thisRound: "Esta rodada",
    round: (number: string) => `${number} rodada`,
    none: "Nenhuma peça foi jogada ainda.",
    ours: (points: string) => `nossa, ${points}`,
    theirs: (points: string) => `deles, ${points}`,
    of: (names: string, points: string) => `${names}, ${points}`,
    pass: "passou",
  },
  result: {
    won: "Vocês ganharam!",
    lost: "Eles ganharam.",
    wonBy: (names: string) => `${names} ganharam.`,
    wonText: "Que beleza de partida. Mais uma?",
    lostText: "Fica para a próxima. Revanche?",
  },
  check: {
    round: (number: string) => `${number} rodada`,
    startedBy: (name: string) => `${name} saiu. Estas são as peças que o segredo dá:`,
    order: "As rodadas se seguem sem repetir nem pular",
    allSeen: "Todas as rodadas que você viu estão no registro",
    tiles: "As peças publicadas são as que o segredo dá",
    starter: "Quem saiu é quem devia sair",
    seenStarter: "Quem saiu é quem você viu sair",
    seenHand: "As peças que você teve na mão são estas",
    seenPlays: "As peças que você viu na mesa são de quem as jogou",
    plays: "Cada peça jogada era de quem a jogou",
  },
  rules: [
    "Duas duplas, sete peças para cada um, das 28. Vence a dupla que chega primeiro a 50 pontos.",
    "Na primeira rodada sai o 6-6. Nas outras sai quem bateu; depois de uma tranca, quem jogou por último na dupla que venceu.",
    "Encaixe uma peça numa das duas pontas. Se serve nas duas, você escolhe. Quem não tem peça que encaixe passa, na hora.",
    "Quem fica sem peças bate: a dupla marca as pintas das mãos dos dois adversários.",
    "Se nenhuma peça encaixa mais, a mesa tranca: vence a dupla com menos pintas e marca as da outra. Com pintas iguais perde quem trancou.",
  ],
  shortcuts: "Teclado: 1 a 7 escolhem a peça, ← e → a ponta, Esc deixa a escolha.",
};

/** The keys and forms that every language has. */
export type DominoWords = typeof pt;
