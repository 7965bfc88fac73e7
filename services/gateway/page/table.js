// Draws the table. Reads a view and calls back with moves; keeps no state of the game.

import { back, cardName, face, rankLetter, rankName } from "./cards.js";
import { byId, el, replace } from "./dom.js";
import { offered, placeKey } from "./moves.js";
import { shownTrick } from "./scene.js";
import { lower, ordinal, points, raiseName } from "./words.js";

const ROBOTS = ["Você", "Zeca", "Bia", "Tonho"];
const SEATS = 4;

export class TableScreen {
  #onMove;
  #isCovering = false;

  /** `onMove(move)` hears what the person does. */
  constructor(onMove) {
    this.#onMove = onMove;
  }

  /** Shows one state of the table. `scene` has view, names (by player id), canAct, speech (by seat), told. */
  draw(scene) {
    const { view } = scene;
    const truco = view.truco;
    const seats = new Seats(view, scene.names);
    const offer = scene.canAct ? offered(truco) : { plays: new Map(), buttons: [] };
    if (![...offer.plays.values()].some((play) => play.covered)) this.#isCovering = false;
    const draw = () => this.draw(scene);

    drawScore(truco, seats);
    drawVira(truco);
    drawWorth(truco, seats);
    for (let place = 0; place < SEATS; place += 1) drawSeat(place, scene, seats);
    drawTrick(truco, seats);
    this.#drawHand(truco, seats, offer);
    this.#drawActions(offer, draw);
    byId("prompt").textContent = scene.told ?? (this.#isCovering ? "Escolha a carta que vai coberta." : promptFor(view, seats, offer));
  }

  /** The running clock: milliseconds left of how many; null hides it. */
  drawClock(leftMs, wholeMs) {
    const clock = byId("clock");
    clock.hidden = leftMs === null;
    if (leftMs === null) return;
    const seconds = Math.ceil(leftMs / 1000);
    byId("clock-text").textContent = `${seconds} s`;
    byId("clock-bar").style.transform = `scaleX(${Math.min(1, leftMs / wholeMs)})`;
    clock.classList.toggle("urgent", seconds <= 5);
  }

  #drawHand(truco, seats, offer) {
    const hand = truco.hands.find((one) => one.seat === seats.mine);
    const places = hand && seats.isMineKnown ? hand.positions.map((position, index) => [position, hand.cards[index]]) : [];
    byId("hand").classList.toggle("covering", this.#isCovering);
    replace(
      byId("hand"),
      ...places.map(([position, card], index) => {
        const key = placeKey(card, position);
        const play = offer.plays.get(key);
        const move = this.#isCovering ? play?.covered : play?.open;
        const name = card ? cardName(card) + (card.rank === truco.manilha ? ", manilha" : "") : `${ordinal(index + 1)} carta, às cegas`;
        return el(
          "button",
          {
            type: "button",
            class: "hand-card",
            "data-key": key,
            disabled: !move,
            "aria-label": this.#isCovering ? `${name}: jogar coberta` : name,
            onclick: () => this.#onMove(move),
          },
          card ? face(card, card.rank === truco.manilha) : back(),
        );
      }),
    );
  }

  #drawActions(offer, draw) {
    const cover = [...offer.plays.values()].some((play) => play.covered);
    replace(
      byId("actions"),
      ...offer.buttons.map(({ key, text, kind, move }) =>
        el("button", { type: "button", class: kind, "data-key": key, onclick: () => this.#onMove(move) }, text),
      ),
      cover &&
        el(
          "button",
          {
            type: "button",
            class: "toggle",
            "data-key": "cover",
            "aria-pressed": String(this.#isCovering),
            onclick: () => {
              this.#isCovering = !this.#isCovering;
              draw();
            },
          },
          "Jogar coberta",
        ),
    );
  }
}

/** Who sits where: place 0 is mine, and play goes anticlockwise, so that the next seat is to my right. */
export class Seats {
  #view;
  #names;

  constructor(view, names) {
    this.#view = view;
    this.#names = names;
    this.isMineKnown = view.yourSeat !== undefined;
    this.mine = view.yourSeat ?? 0;
  }

  at(place) {
    return (this.mine + place) % SEATS;
  }

  placeOf(seat) {
    return (seat - this.mine + SEATS) % SEATS;
  }

  /** A seat's name; "Você" for my own. */
  who(seat) {
    if (this.isMineKnown && seat === this.mine) return "Você";
    const { kind, playerId } = this.#view.seats[seat];
    if (kind === "SEAT_KIND_ROBOT") return ROBOTS[this.placeOf(seat)] ?? ROBOTS[0];
    return this.#names.get(playerId) ?? "Jogador";
  }

  /** Whether a side is ours: sides are every other seat. */
  isOurs(side) {
    return side === this.mine % 2;
  }

  /** The score from our side: [ours, theirs]. */
  scoreOf(score) {
    return this.isOurs(0) ? [score[0], score[1]] : [score[1], score[0]];
  }
}

function drawScore(truco, seats) {
  const [ours, theirs] = seats.scoreOf(truco.score);
  replace(
    byId("score"),
    el("span", { class: "tally ours" }, el("span", { class: "tally-name" }, "Nós"), el("strong", {}, String(ours))),
    el("span", { class: "tally theirs" }, el("strong", {}, String(theirs)), el("span", { class: "tally-name" }, "Eles")),
  );
}

function drawVira(truco) {
  replace(
    byId("vira"),
    el("span", { class: "label" }, "Vira"),
    el("span", { class: "small-card", role: "img", "aria-label": `Vira: ${cardName(truco.vira)}` }, face(truco.vira, false)),
    el(
      "span",
      { class: "manilha-name", role: "img", "aria-label": `Manilha: ${rankName(truco.manilha)}` },
      "manilha ",
      el("strong", {}, rankLetter(truco.manilha)),
    ),
  );
}

function drawWorth(truco, seats) {
  const over = truco.tricks.filter((trick) => trick.isOver);
  const dots = [0, 1, 2].map((index) => {
    const trick = over[index];
    if (!trick) return el("li", { class: "dot" }, el("span", { class: "unseen" }, "por jogar"));
    if (trick.winnerSeat === undefined) return el("li", { class: "dot tied" }, el("span", { class: "unseen" }, "empatada"));
    const ours = seats.isOurs(trick.winnerSeat % 2);
    return el("li", { class: `dot ${ours ? "ours" : "theirs"}` }, el("span", { class: "unseen" }, ours ? "nossa" : "deles"));
  });
  const raise = truco.pendingRaise;
  replace(
    byId("worth"),
    el("span", { class: "label" }, truco.ironHand ? "Mão de ferro" : truco.elevenSide === undefined ? "A mão vale" : "Mão de onze"),
    el("strong", { class: "value", "aria-label": points(truco.value) }, String(truco.value)),
    raise ? el("span", { class: "asked" }, `pedido: ${raiseName(raise.value)}`) : null,
    el("ol", { class: "dots", "aria-label": "Rodadas" }, ...dots),
  );
}

function drawSeat(place, scene, seats) {
  const { view, speech } = scene;
  const seat = seats.at(place);
  const truco = view.truco;
  const { kind, absent } = view.seats[seat];
  const isAwaited = Boolean(view.clock?.seats.includes(seat));
  const section = byId(`seat-${place}`);
  const name = seats.who(seat);
  const words = speech.get(seat);
  const hand = truco.hands.find((one) => one.seat === seat);
  section.classList.toggle("awaited", isAwaited);
  section.setAttribute("aria-label", name);
  replace(
    section,
    place === 0 ? null : el("span", { class: "held", role: "img", "aria-label": heldName(hand) }, ...held(hand, truco)),
    el(
      "span",
      { class: "plate" },
      el("span", { class: "name" }, name),
      place === 2 && seats.isMineKnown ? el("span", { class: "tag" }, "parceiro") : null,
      kind === "SEAT_KIND_ROBOT" ? el("span", { class: "tag" }, "robô") : null,
      seat === truco.dealer ? el("span", { class: "tag dealer", title: "Deu as cartas e joga por último" }, "pé") : null,
      absent ? el("span", { class: "tag absent" }, "ausente") : null,
    ),
    words ? el("span", { class: "speech" }, words) : null,
  );
}

function held(hand, truco) {
  if (!hand) return [];
  if (hand.cards.length > 0) return hand.cards.map((card) => face(card, card.rank === truco.manilha));
  return Array.from({ length: hand.count }, back);
}

function heldName(hand) {
  if (!hand) return "";
  if (hand.cards.length > 0) return hand.cards.map(cardName).join(", ");
  return hand.count === 1 ? "1 carta" : `${hand.count} cartas`;
}

function drawTrick(truco, seats) {
  const trick = shownTrick(truco);
  const cards = trick?.cards ?? [];
  replace(
    byId("trick"),
    ...cards.map(({ seat, card, covered }, index) => {
      const isWinner = trick.isOver && trick.winnerSeat === seat;
      const isManilha = Boolean(card) && !covered && card.rank === truco.manilha;
      const name = card && !covered ? cardName(card) + (isManilha ? ", manilha" : "") : "carta coberta";
      const state = trick.isOver ? (isWinner ? " winner" : " past") : "";
      return el(
        "span",
        {
          class: `played from-${seats.placeOf(seat)}${state}${index === cards.length - 1 ? " newest" : ""}`,
          role: "img",
          "aria-label": `${seats.who(seat)}: ${name}${isWinner ? ", ganhou a rodada" : ""}`,
        },
        card && !covered ? face(card, isManilha) : back(),
      );
    }),
  );
}

function promptFor(view, seats, offer) {
  const truco = view.truco;
  if (view.status === "TABLE_STATUS_ENDED") return "Fim de jogo.";
  const awaited = view.clock?.seats ?? [];
  const isMe = seats.isMineKnown && awaited.includes(seats.mine);
  if (truco.phase === "PHASE_ANSWER_RAISE" && truco.pendingRaise) {
    const asked = `${seats.who(truco.pendingRaise.bySeat)} pediu ${raiseName(truco.pendingRaise.value)}.`;
    return isMe ? `${asked} E agora?` : `${asked} Esperando a resposta…`;
  }
  if (truco.phase === "PHASE_ELEVEN_HAND") {
    return isMe ? "Mão de onze: veja as cartas do parceiro e decida." : "Mão de onze: eles estão decidindo…";
  }
  if (isMe) {
    if (truco.blind) return "Mão de ferro: escolha uma carta, às cegas.";
    const raise = offer.buttons.find(({ move }) => move.raise);
    return raise ? `Sua vez: jogue uma carta ou peça ${raiseName(raise.move.raise.value)}.` : "Sua vez: jogue uma carta.";
  }
  return awaited.length > 0 ? `Vez de ${lower(seats.who(awaited[0]))}.` : "";
}
