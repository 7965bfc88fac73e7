// One's cards in groups: by suit or by rank. The wilds stand apart, for they go anywhere.

import { type Card, type Rank, rankLetter, suitName } from "../../cards/cards.ts";
import { mayBeWild } from "./table.ts";

export type Order = "suit" | "rank";

/** Black and red by turns, so that suits are told apart where they meet. */
const SUITS = ["paus", "ouros", "espadas", "copas"];
const RANKS = [..."3456789", "10", ..."JQKA", "★", "2"];

/** The cards in groups, none of them empty: the wilds first, then suit by suit or rank by rank. */
export function grouped(cards: readonly Card[], order: Order): readonly (readonly Card[])[] {
  const groups = new Map<number, Card[]>();
  for (const card of cards) {
    const place = mayBeWild(card) ? -1 : order === "suit" ? suitPlace(card) : rankPlace(card.rank);
    groups.set(place, [...(groups.get(place) ?? []), card]);
  }
  return [...groups]
    .sort(([one], [other]) => one - other)
    .map(([, group]) => group.sort((one, other) => compare(one, other, order)));
}

function compare(one: Card, other: Card, order: Order): number {
  const bySuit = suitPlace(one) - suitPlace(other);
  const byRank = rankPlace(one.rank) - rankPlace(other.rank);
  return (order === "suit" ? bySuit || byRank : byRank || bySuit) || one.pack - other.pack;
}

function suitPlace(card: Card): number {
  return SUITS.indexOf(suitName(card.suit) ?? "");
}

function rankPlace(rank: Rank): number {
  return RANKS.indexOf(rankLetter(rank));
}
