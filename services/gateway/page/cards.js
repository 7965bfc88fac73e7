// Draws cards, and says their names.

import { el, svg } from "./dom.js";

const RANKS = {
  RANK_ACE: ["A", "ás"],
  RANK_TWO: ["2", "dois"],
  RANK_THREE: ["3", "três"],
  RANK_FOUR: ["4", "quatro"],
  RANK_FIVE: ["5", "cinco"],
  RANK_SIX: ["6", "seis"],
  RANK_SEVEN: ["7", "sete"],
  RANK_JACK: ["J", "valete"],
  RANK_QUEEN: ["Q", "dama"],
  RANK_KING: ["K", "rei"],
};

const SUITS = { SUIT_PAUS: "paus", SUIT_COPAS: "copas", SUIT_ESPADAS: "espadas", SUIT_OUROS: "ouros" };

const LEFT = 38;
const MIDDLE = 50;
const RIGHT = 62;
const PIPS = {
  A: [[MIDDLE, 70]],
  2: [[MIDDLE, 40], [MIDDLE, 100]],
  3: [[MIDDLE, 36], [MIDDLE, 70], [MIDDLE, 104]],
  4: [[LEFT, 44], [RIGHT, 44], [LEFT, 96], [RIGHT, 96]],
  5: [[LEFT, 40], [RIGHT, 40], [MIDDLE, 70], [LEFT, 100], [RIGHT, 100]],
  6: [[LEFT, 38], [RIGHT, 38], [LEFT, 70], [RIGHT, 70], [LEFT, 102], [RIGHT, 102]],
  7: [[LEFT, 38], [RIGHT, 38], [MIDDLE, 54], [LEFT, 70], [RIGHT, 70], [LEFT, 102], [RIGHT, 102]],
};

/** What stands in a card's corner. */
export function rankLetter(rank) {
  return RANKS[rank][0];
}

/** A rank in words, such as "dama". */
export function rankName(rank) {
  return RANKS[rank][1];
}

/** A card in words, such as "sete de copas". */
export function cardName(card) {
  return `${rankName(card.rank)} de ${SUITS[card.suit]}`;
}

const SUIT_LETTERS = { P: "SUIT_PAUS", C: "SUIT_COPAS", E: "SUIT_ESPADAS", O: "SUIT_OUROS" };

/** A card's code, such as "7C", as records write it. */
export function cardCode(card) {
  const letter = Object.keys(SUIT_LETTERS).find((one) => SUIT_LETTERS[one] === card.suit);
  return rankLetter(card.rank) + letter;
}

/** The card of a code. */
export function cardOf(code) {
  const rank = Object.keys(RANKS).find((one) => RANKS[one][0] === code[0]);
  return { rank, suit: SUIT_LETTERS[code[1]] };
}

/** The same card gives the same text. */
export function cardKey(card) {
  return `${card.rank} ${card.suit}`;
}

/** A card's face. */
export function face(card, isManilha) {
  const suit = SUITS[card.suit];
  const letter = rankLetter(card.rank);
  const pips = PIPS[letter];
  return el(
    "span",
    { class: `card suit-${suit}${isManilha ? " manilha" : ""}` },
    svg(
      "svg",
      { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" },
      corner(letter, suit),
      svg("g", { transform: "rotate(180 50 70)" }, corner(letter, suit)),
      ...(pips ? pips.map(([x, y]) => pip(suit, x, y, pips.length === 1 ? 46 : 21)) : court(letter, suit)),
    ),
    isManilha ? svg("svg", { class: "star", "aria-hidden": "true", viewBox: "0 0 24 24" }, svg("use", { href: "#star" })) : null,
  );
}

/** A card's back. */
export function back() {
  return el("span", { class: "card back" });
}

function corner(letter, suit) {
  return svg(
    "g",
    {},
    svg("text", { x: 15, y: 28, "text-anchor": "middle", class: "rank" }, letter),
    svg("use", { href: `#suit-${suit}`, x: 7, y: 33, width: 16, height: 16 }),
  );
}

function pip(suit, x, y, size) {
  const use = svg("use", { href: `#suit-${suit}`, x: x - size / 2, y: y - size / 2, width: size, height: size });
  return y > 70 ? svg("g", { transform: `rotate(180 ${x} ${y})` }, use) : use;
}

function court(letter, suit) {
  return [
    svg("rect", { x: 28, y: 24, width: 44, height: 92, rx: 6, class: "court" }),
    svg("text", { x: 50, y: 78, "text-anchor": "middle", class: "court-letter" }, letter),
    pip(suit, 50, 44, 18),
    pip(suit, 50, 96, 18),
  ];
}
