// What this browser sees of Truco's deals while they are played, kept for the check.

import type { HandOfCards } from "../../api/generated/games_truco.ts";
import type { TableUpdate } from "../../api/generated/table.ts";
import { type Card, cardCode } from "../../cards/cards.ts";

/** What was seen of one hand. */
export interface SeenHand {
  vira?: string;
  dealer?: number;
  /** By seat, the cards that were seen in its hand: their places as dealt, or null where only the face was shown. */
  readonly cards: Record<string, Record<string, number | null>>;
  /** By card, the seat that laid it open on the table. */
  readonly plays: Record<string, number>;
}

export type SeenHands = Record<string, SeenHand>;

/** Keeps what an update shows: what happened, and the view while the match runs. */
export function seeDeals(known: unknown, update: TableUpdate): SeenHands {
  const hands = known as SeenHands;
  for (const { truco: event } of update.events) {
    if (event?.handDealt?.vira) {
      Object.assign(of(hands, event.handDealt.hand), {
        vira: cardCode(event.handDealt.vira),
        dealer: event.handDealt.dealer,
      });
    }
    if (event?.cardPlayed) see(hands[event.cardPlayed.hand], event.cardPlayed);
  }
  const { view } = update;
  if (view?.truco === undefined || view.status !== "TABLE_STATUS_PLAYING") return hands;
  const hand = of(hands, view.truco.hand);
  if (view.truco.vira) Object.assign(hand, { vira: cardCode(view.truco.vira), dealer: view.truco.dealer });
  for (const one of view.truco.hands) hold(hand, one, view.yourSeat);
  for (const trick of view.truco.tricks) for (const card of trick.cards) see(hand, card);
  return hands;
}

function of(hands: SeenHands, number: number): SeenHand {
  return (hands[number] ??= { cards: {}, plays: {} });
}

/** The faces of a seat's hand; of the partner's only that they were shown, for their places are not. */
function hold(seen: SeenHand, { seat, cards, positions }: HandOfCards, mine: number | undefined): void {
  if (cards.length === 0) return;
  const known = (seen.cards[seat] ??= {});
  cards.forEach((card, index) => {
    known[cardCode(card)] = seat === mine ? (positions[index] ?? null) : null;
  });
}

function see(seen: SeenHand | undefined, played: { seat: number; card?: Card; covered: boolean }): void {
  if (seen === undefined || played.card === undefined || played.covered) return;
  seen.plays[cardCode(played.card)] = played.seat;
}
