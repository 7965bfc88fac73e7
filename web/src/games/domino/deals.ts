// What this browser sees of Dominó's deals while they are played, kept for the check.

import type { TableUpdate } from "../../api/generated/table.ts";
import { tileKey } from "./table.ts";

/** What was seen of one round. */
export interface SeenRound {
  starter?: number;
  /** By tile, the seat in whose hand it was seen. */
  readonly tiles: Record<string, number>;
  /** By tile, the seat that played it. */
  readonly plays: Record<string, number>;
}

export type SeenRounds = Record<string, SeenRound>;

/** Keeps what an update shows: what happened, and the view while the match runs. */
export function seeDeals(known: unknown, update: TableUpdate): SeenRounds {
  const rounds = known as SeenRounds;
  for (const { domino: event } of update.events) {
    if (event?.roundDealt) of(rounds, event.roundDealt.round).starter = event.roundDealt.starter;
    if (event?.tilePlayed?.tile) {
      of(rounds, event.tilePlayed.round).plays[tileKey(event.tilePlayed.tile)] = event.tilePlayed.seat;
    }
  }
  const { view } = update;
  if (view?.domino === undefined || view.status !== "TABLE_STATUS_PLAYING") return rounds;
  const { round, starter, hands, plays } = view.domino;
  const seen = of(rounds, round);
  seen.starter = starter;
  for (const { seat, tiles } of hands) for (const tile of tiles) seen.tiles[tileKey(tile)] = seat;
  for (const { seat, tile } of plays) if (tile !== undefined) seen.plays[tileKey(tile)] = seat;
  return rounds;
}

function of(rounds: SeenRounds, number: number): SeenRound {
  return (rounds[number] ??= { tiles: {}, plays: {} });
}
