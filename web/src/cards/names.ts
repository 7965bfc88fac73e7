// Cards in words.

import { words } from "../i18n/index.ts";
import { settings } from "../session/settings.ts";
import { type Card, type Rank, rankLetter, SPANISH_NUMBERS, type Suit, suitName } from "./cards.ts";

/** What stands in the corner of a card of the pack that was chosen: "J", or "11". */
export function rankMark(rank: Rank): string {
  const letter = rankLetter(rank);
  return isSpanish() ? (SPANISH_NUMBERS[letter] ?? letter) : letter;
}

/** A rank in words, such as "dama"; in a Spanish pack "sota". */
export function rankWord(rank: Rank): string {
  const w = words.value.cards;
  return (isSpanish() ? w.spanishRanks[rank] : undefined) ?? w.ranks[rank];
}

/** A suit in words, such as "copas"; empty for a joker. */
export function suitWord(suit: Suit): string {
  const name = suitName(suit);
  const w = words.value.cards;
  return name === null ? "" : (isSpanish() ? w.spanishSuits : w.suits)[name];
}

/** A card in words, such as "sete de copas". */
export function cardWords(card: Card): string {
  const suit = suitWord(card.suit);
  return suit === "" ? rankWord(card.rank) : words.value.cards.name(rankWord(card.rank), suit);
}

function isSpanish(): boolean {
  return settings.deckFace.value === "spanish";
}
