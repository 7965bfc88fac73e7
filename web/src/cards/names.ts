// Cards in words.

import { words } from "../i18n/index.ts";
import { type Card, type Rank, type Suit, suitName } from "./cards.ts";

/** A rank in words, such as "dama". */
export function rankWord(rank: Rank): string {
  return words.value.cards.ranks[rank];
}

/** A suit in words, such as "copas"; empty for a joker. */
export function suitWord(suit: Suit): string {
  const name = suitName(suit);
  return name === null ? "" : words.value.cards.suits[name];
}

/** A card in words, such as "sete de copas". */
export function cardWords(card: Card): string {
  const suit = suitWord(card.suit);
  return suit === "" ? rankWord(card.rank) : words.value.cards.name(rankWord(card.rank), suit);
}
