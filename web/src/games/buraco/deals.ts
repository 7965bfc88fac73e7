// What this browser sees of the family's deals while they are played, kept for the check.

import type { Event } from "../../api/generated/games_buraco.ts";
import type { TableUpdate } from "../../api/generated/table.ts";
import type { Card } from "../../cards/cards.ts";
import { packedCode } from "./codes.ts";

/** What was seen of one deal; cards are codes of the record. */
export interface SeenDeal {
  starter?: number;
  /** One's own cards as they were first seen, in the update that dealt them. */
  hand?: readonly string[];
  /** What one drew, in order. */
  readonly drawn: string[];
  /** The morto that one took. */
  morto?: readonly string[];
  /** Cards that were seen to leave a hand: seat and card. */
  readonly played: [number, string][];
}

export type SeenDeals = Record<string, SeenDeal>;

/** Keeps what an update shows. */
export function seeDeals(known: unknown, update: TableUpdate): SeenDeals {
  const deals = known as SeenDeals;
  const { view } = update;
  if (view?.buraco === undefined) return deals;
  // After the last deal nothing is dealt, so what is told without a deal before it belongs to the view's.
  const starts = update.events.flatMap(({ buraco }) => buraco?.dealStarted?.deal ?? []);
  let number = starts[0] === undefined ? view.buraco.deal : starts[0] - 1;
  for (const { buraco: event } of update.events) {
    if (event === undefined) continue;
    if (event.dealStarted) {
      number = event.dealStarted.deal;
      of(deals, number).starter = event.dealStarted.starter;
    } else if (number > 0) see(of(deals, number), event, view.yourSeat);
  }
  const mine = view.buraco.hands.find(({ seat }) => seat === view.yourSeat);
  if (starts.includes(view.buraco.deal) && mine !== undefined && !update.isResync) {
    of(deals, view.buraco.deal).hand ??= mine.cards.map(packedCode);
  }
  return deals;
}

function of(deals: SeenDeals, number: number): SeenDeal {
  return (deals[number] ??= { drawn: [], played: [] });
}

function see(deal: SeenDeal, event: Event, mine: number | undefined): void {
  for (const one of [event.stockDrawn, event.redThreeReplaced]) {
    if (one?.seat === mine && one?.card !== undefined) drew(deal, packedCode(one.card));
  }
  if (event.mortoTaken?.seat === mine && event.mortoTaken && event.mortoTaken.cards.length > 0) {
    deal.morto = event.mortoTaken.cards.map(packedCode);
  }
  const { redThreeLaid, meldLaid, meldExtended, cardDiscarded } = event;
  for (const one of [redThreeLaid, cardDiscarded]) if (one?.card) left(deal, one.seat, [one.card]);
  if (meldLaid?.shape) left(deal, meldLaid.seat, meldLaid.shape.cards);
  if (meldExtended) left(deal, meldExtended.seat, meldExtended.added);
}

function left(deal: SeenDeal, seat: number, cards: readonly Card[]): void {
  for (const code of cards.map(packedCode)) {
    if (!deal.played.some(([who, known]) => who === seat && known === code)) deal.played.push([seat, code]);
  }
}

/** A card comes from the stock once; what is told again after a reload is known. */
function drew(deal: SeenDeal, code: string): void {
  if (!deal.drawn.includes(code)) deal.drawn.push(code);
}
