// The match as Truco's parts of the table need it.

import type { View } from "../../api/generated/games_truco.ts";
import type { TableView } from "../../api/generated/table.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { type Offer, NOTHING, offered } from "./moves.ts";

export interface TrucoTable {
  readonly match: Match;
  readonly view: TableView;
  readonly truco: View;
  readonly seats: Seats;
  /** What may be done now: nothing while an answer is on its way or something is looked at. */
  readonly offer: Offer;
}

/** Null before the first view. */
export function trucoTable(match: Match): TrucoTable | null {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view?.truco === undefined || seats === null) return null;
  const offer = match.canAct.value ? offered(view.truco.legalMoves) : NOTHING;
  return { match, view, truco: view.truco, seats, offer };
}

/** Whether a card is one of the hand's four strongest. */
export function isManilha(truco: View, card: { readonly rank: string }): boolean {
  return card.rank === truco.manilha;
}
