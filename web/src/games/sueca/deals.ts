// What this browser sees of Sueca's deals while they are played, kept for the check.

import type { TableUpdate } from "../../api/generated/table.ts";
import { type Card, cardCode } from "../../cards/cards.ts";

/** What was seen of one hand. */
export interface SeenHand {
  trump?: string;
  dealer?: number;
  /** By card, the seat in whose hand it was seen. */
  readonly cards: Record<string, number>;
  /** By card, the seat that played it. */
  readonly plays: Record<string, number>;
}

export type SeenHands = Record<string, SeenHand>;

/** Keeps what an update shows: what happened, and the view while the match runs. */
export function seeDeals(known: unknown, update: TableUpdate): SeenHands {
  const hands = known as SeenHands;
  for (const { sueca: event } of update.events) {
    if (event?.handDealt)
      deal(of(hands, event.handDealt.hand), event.handDealt.trumpCard, event.handDealt.dealer);
    if (event?.cardPlayed?.card) {
      const { hand, card, seat } = event.cardPlayed;
      of(hands, hand).plays[cardCode(card)] = seat;
    }
  }
  const { view } = update;
  if (view?.sueca === undefined || view.status !== "TABLE_STATUS_PLAYING") return hands;
  const { hand, trumpCard, dealer, hands: held, tricks } = view.sueca;
  const seen = of(hands, hand);
  deal(seen, trumpCard, dealer);
  for (const { seat, cards } of held) for (const card of cards) seen.cards[cardCode(card)] = seat;
  for (const trick of tricks) {
    for (const { seat, card } of trick.cards) if (card !== undefined) seen.plays[cardCode(card)] = seat;
  }
  return hands;
}

function of(hands: SeenHands, number: number): SeenHand {
  return (hands[number] ??= { cards: {}, plays: {} });
}

function deal(seen: SeenHand, trump: Card | undefined, dealer: number): void {
  if (trump === undefined) return;
  seen.trump = cardCode(trump);
  seen.dealer = dealer;
}
