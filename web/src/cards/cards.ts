// Cards as every game writes them: keys, codes, letters.

import type { Card, Rank, Suit } from "../api/generated/cards.ts";

export type { Card, Rank, Suit };
export type SuitName = "paus" | "copas" | "espadas" | "ouros";

const LETTERS: Readonly<Record<Rank, string>> = {
  RANK_UNSPECIFIED: "?",
  RANK_ACE: "A",
  RANK_TWO: "2",
  RANK_THREE: "3",
  RANK_FOUR: "4",
  RANK_FIVE: "5",
  RANK_SIX: "6",
  RANK_SEVEN: "7",
  RANK_EIGHT: "8",
  RANK_NINE: "9",
  RANK_TEN: "10",
  RANK_JACK: "J",
  RANK_QUEEN: "Q",
  RANK_KING: "K",
  RANK_JOKER: "★",
};

const SUITS: Readonly<Record<Suit, SuitName | null>> = {
  SUIT_UNSPECIFIED: null,
  SUIT_PAUS: "paus",
  SUIT_COPAS: "copas",
  SUIT_ESPADAS: "espadas",
  SUIT_OUROS: "ouros",
};

const SUIT_LETTERS: Readonly<Record<string, Suit>> = {
  P: "SUIT_PAUS",
  C: "SUIT_COPAS",
  E: "SUIT_ESPADAS",
  O: "SUIT_OUROS",
};

/** What a Spanish pack has in the corner instead of these letters. */
export const SPANISH_NUMBERS: Readonly<Record<string, string>> = { A: "1", Q: "10", J: "11", K: "12" };

/** What stands in the corner of a French card, and in a code. */
export function rankLetter(rank: Rank): string {
  return LETTERS[rank];
}

/** The suit's name, which is also its picture's; null for a joker. */
export function suitName(suit: Suit): SuitName | null {
  return SUITS[suit];
}

/** The same card gives the same text. */
export function cardKey(card: Card): string {
  return `${card.rank} ${card.suit} ${card.pack}`;
}

/** Whether they are the same card. */
export function isSame(one: Card, other: Card): boolean {
  return cardKey(one) === cardKey(other);
}

/** A card's code, such as "7C", as records of one pack write it. */
export function cardCode(card: Card): string {
  const letter = Object.keys(SUIT_LETTERS).find((one) => SUIT_LETTERS[one] === card.suit);
  return rankLetter(card.rank) + (letter ?? "");
}

/** The card of a code; a joker's is its star alone. */
export function cardOf(code: string): Card {
  const letter = code === LETTERS.RANK_JOKER ? code : code.slice(0, -1);
  const rank = (Object.keys(LETTERS) as Rank[]).find((one) => LETTERS[one] === letter);
  return {
    rank: rank ?? "RANK_UNSPECIFIED",
    suit: SUIT_LETTERS[code.slice(-1)] ?? "SUIT_UNSPECIFIED",
    pack: 0,
  };
}
