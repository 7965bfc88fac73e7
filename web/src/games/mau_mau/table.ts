// The match as Mau Mau's parts of the table need it.

import type { View } from "../../api/generated/games_mau_mau.ts";
import type { TableView } from "../../api/generated/table.ts";
import type { Card } from "../../cards/cards.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { NOTHING, type Offer, offered } from "./moves.ts";

export interface MauMauTable {
  readonly match: Match;
  readonly view: TableView;
  readonly mauMau: View;
  readonly seats: Seats;
  /** What may be done now: nothing while an answer is on its way. */
  readonly offer: Offer;
}

/** Null before the first view. */
export function mauMauTable(match: Match): MauMauTable | null {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view?.mauMau === undefined || seats === null) return null;
  const offer = match.canAct.value ? offered(view.mauMau.legalMoves) : NOTHING;
  return { match, view, mauMau: view.mauMau, seats, offer };
}

/** One's own cards in the order of their arrival; none for who watches. */
export function myCards({ mauMau, seats }: MauMauTable): readonly Card[] {
  return mauMau.hands.find((one) => seats.isMe(one.seat))?.cards ?? [];
}
