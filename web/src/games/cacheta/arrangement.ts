// One's own cards as one likes to see them: in an order, or as they were put by hand.

import { type Card, cardKey } from "../../cards/cards.ts";
import { type Order, ordered } from "../../cards/order.ts";

export type Arrangement = Order | readonly string[];

/** The cards as they are arranged. What was put by hand stays; what has come since stands at the end. */
export function arranged(cards: readonly Card[], arrangement: Arrangement): readonly Card[] {
  if (typeof arrangement === "string") return ordered(cards, arrangement);
  const place = (card: Card): number => arrangement.indexOf(cardKey(card));
  const known = cards.filter((card) => place(card) >= 0);
  // Another deal: nothing was put anywhere yet.
  if (known.length === 0) return ordered(cards, "suit");
  const fresh = cards.filter((card) => place(card) < 0);
  return [...known.sort((one, other) => place(one) - place(other)), ...fresh];
}

/** The cards put by hand: one of them at another place. */
export function moved(cards: readonly Card[], key: string, to: number): readonly string[] {
  const rest = cards.map(cardKey).filter((one) => one !== key);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, key);
  return rest;
}
