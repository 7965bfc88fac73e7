// Whether a finished match was fair: every deal is made again here and compared with what was seen and with the record.

import { Draws, fromHex, sha256 } from "./shuffle.js";

/**
 * Checks a match's record (docs/record.md) against the secret, and against what this browser saw while it ran.
 *
 * Gives `{isFair, wasWatched, match, hands}`: `match` and each hand's `points` are a list of `{text, state}`, where state
 * is "ok", "wrong", or "unseen" where there was nothing to compare with.
 */
export async function check(record, seen) {
  const events = record.events;
  const opened = events[0].payload;
  const ended = events.at(-1).payload;
  const secret = fromHex(ended.secret);
  const entropy = opened.entropy.map(fromHex);
  const draws = await Draws.of(secret, record.table_id, entropy);
  const hands = await checkedHands(events, draws, seen, opened.seats.length);
  const match = [
    point("O segredo revelado é o do compromisso", (await sha256(secret)) === opened.commitment),
    point("O compromisso é o que esta página viu antes da primeira carta", opened.commitment, seen.commitment),
    point("Ele já estava prometido antes de a página enviar a sua parte do embaralhamento", opened.commitment, seen.promised),
    point("A lista do que os jogadores somaram ao embaralhamento é a que foi mostrada", opened.entropy.join(), seen.entropy?.join()),
    point("A sua parte está nela, no seu lugar", opened.entropy[seen.seat ?? record.your_seat], seen.added),
    point("O número da mesa é o desta partida", record.table_id === opened.table_id),
    point("As mãos se seguem sem repetir nem pular", hands.every(({ number, hand }) => number === hand)),
    point("Todas as mãos que você viu estão no registro", seenHands(seen).every((number) => number <= hands.length)),
  ];
  const points = [...match, ...hands.flatMap((hand) => hand.points)];
  return {
    isFair: points.every(({ state }) => state !== "wrong"),
    wasWatched: seen.commitment !== undefined,
    match,
    hands,
    secret: ended.secret,
    commitment: opened.commitment,
    entropy: opened.entropy,
  };
}

async function checkedHands(events, draws, seen, seats) {
  const hands = [];
  let dealer = await draws.firstDealer(seats);
  for (const { type, payload } of events) {
    if (type === "truco.hand_dealt") {
      const number = hands.length + 1;
      hands.push(checkedDeal(number, payload, await draws.deal(number, dealer, seats), seen.hands[number]));
      dealer = (dealer + 1) % seats;
    } else if (type === "truco.card_played") {
      hands.at(-1).played.push(payload);
    }
  }
  for (const hand of hands) hand.points.push(point("Cada carta jogada, também as cobertas, era de quem a jogou", werePlayedFairly(hand)));
  return hands;
}

function checkedDeal(number, published, dealt, seen = { cards: {}, plays: {} }) {
  return {
    number,
    hand: published.hand,
    dealt,
    played: [],
    points: [
      point("As cartas publicadas são as que o segredo dá", dealt.cards.join() === published.cards.join()),
      point("A vira publicada é a que o segredo dá", dealt.vira === published.vira),
      point("Quem deu as cartas é quem devia dar", dealt.dealer === published.dealer),
      point("A vira e quem deu são o que você viu", [dealt.vira, dealt.dealer].join(), seen.vira && [seen.vira, seen.dealer].join()),
      seenPoint("As cartas que você teve na mão são estas", cardsSeen(seen), ([seat, card, place]) =>
        place === null ? dealt.cards[seat].includes(card) : dealt.cards[seat][place] === card,
      ),
      seenPoint("As cartas que você viu na mesa são de quem as jogou", Object.entries(seen.plays), ([card, seat]) =>
        dealt.cards[seat].includes(card),
      ),
    ],
  };
}

function werePlayedFairly({ dealt, played }) {
  const held = dealt.cards.map((cards) => new Set(cards));
  return played.every(({ seat, card }) => held[seat].delete(card));
}

function cardsSeen(seen) {
  return Object.entries(seen.cards).flatMap(([seat, known]) =>
    Object.entries(known).map(([card, place]) => [Number(seat), card, place]),
  );
}

function seenHands(seen) {
  return Object.keys(seen.hands).map(Number);
}

function seenPoint(text, things, isRight) {
  if (things.length === 0) return { text, state: "unseen" };
  return { text: `${text} (${things.length})`, state: things.every(isRight) ? "ok" : "wrong" };
}

/** With two arguments the second says whether it is right; with three the last two must be equal, if the last was seen. */
function point(text, value, ...expected) {
  if (expected.length === 0) return { text, state: value ? "ok" : "wrong" };
  if (expected[0] === undefined) return { text, state: "unseen" };
  return { text, state: value === expected[0] ? "ok" : "wrong" };
}
