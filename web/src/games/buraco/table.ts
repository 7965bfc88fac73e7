// The match as this family's parts of the table need it.

import type { Legal, MeldKind, View } from "../../api/generated/games_buraco.ts";
import type { TableView } from "../../api/generated/table.ts";
import type { Card } from "../../cards/cards.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";

export interface BuracoTable {
  readonly match: Match;
  readonly view: TableView;
  readonly buraco: View;
  readonly seats: Seats;
  /** One's own cards in the order of their arrival; empty for who watches. */
  readonly hand: readonly Card[];
  /** What may be done now; null while an answer is on its way, something is looked at, or another seat is awaited. */
  readonly legal: Legal | null;
}

/** Null before the first view. */
export function buracoTable(match: Match): BuracoTable | null {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view?.buraco === undefined || seats === null) return null;
  const { buraco } = view;
  const hand = seats.isMineKnown ? (buraco.hands.find(({ seat }) => seats.isMe(seat))?.cards ?? []) : [];
  const legal = match.canAct.value ? (buraco.legal ?? null) : null;
  return { match, view, buraco, seats, hand, legal };
}

/** What a side has on the table: its cards and its canastras. */
export function pointsOnTable(buraco: View, side: number): number {
  const has = buraco.sides.find((one) => one.side === side);
  return (has?.cardPoints ?? 0) + (has?.canastraPoints ?? 0);
}

/** The points of both sides so far: of the deals that have ended, and what lies on the table in this one. */
export function pointsSoFar(buraco: View): readonly number[] {
  if (buraco.phase === "PHASE_OVER") return buraco.score;
  return [0, 1].map((side) => (buraco.score[side] ?? 0) + pointsOnTable(buraco, side));
}

/** The value of a switch of this table's rules. */
export function switchOf(view: TableView, name: string): string | undefined {
  return view.switches.find((one) => one.name === name)?.value;
}

/** Whether a card may stand for others: a 2 or a joker. */
export function mayBeWild({ rank }: Card): boolean {
  return rank === "RANK_TWO" || rank === "RANK_JOKER";
}

export type { MeldKind };
