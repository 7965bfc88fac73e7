// In what order one likes to see one's cards.

import { type Card, rankLetter, suitName } from "./cards.ts";

export type Order = "suit" | "rank";

/** Red and black by turns, so that suits are told apart where they meet. */
const SUITS = ["paus", "copas", "espadas", "ouros"];
const RANKS = [..."A23456789", "10", ..."JQK", "★"];

/** The cards in an order; what is alike stays as it was. */
export function ordered(cards: readonly Card[], order: Order): readonly Card[] {
  const suit = (card: Card): number => SUITS.indexOf(suitName(card.suit) ?? "");
  const rank = (card: Card): number => RANKS.indexOf(rankLetter(card.rank));
  return [...cards].sort((one, other) =>
    order === "suit"
      ? suit(one) - suit(other) || rank(one) - rank(other)
      : rank(one) - rank(other) || suit(one) - suit(other),
  );
}
