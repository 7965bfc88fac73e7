// In what order one's cards stand: suit by suit, red and black by turns, the trump last, each from weak to strong.

import { type Card, rankLetter, type Suit } from "../../cards/cards.ts";

const STRENGTH = "23456QJK7A";
const SUITS: readonly Suit[] = ["SUIT_PAUS", "SUIT_COPAS", "SUIT_ESPADAS", "SUIT_OUROS"];

/** A hand as it is shown. */
export function handOrder(cards: readonly Card[], trump: Card | undefined): readonly Card[] {
  const after = trump === undefined ? 0 : SUITS.indexOf(trump.suit) + 1;
  const place = (card: Card): number => (SUITS.indexOf(card.suit) - after + SUITS.length) % SUITS.length;
  const strength = (card: Card): number => STRENGTH.indexOf(rankLetter(card.rank));
  return [...cards].sort((one, other) => place(one) - place(other) || strength(one) - strength(other));
}
