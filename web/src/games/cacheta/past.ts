// The rounds that were played before, from the events that came.

import type { Meld } from "../../api/generated/games_cacheta.ts";
import type { TableEvent } from "../../api/generated/table.ts";

export interface PastRound {
  readonly round: number;
  /** Undefined for a round that was void. */
  readonly winner: number | undefined;
  readonly lost: number;
  readonly points: readonly number[];
  readonly melds: readonly Meld[];
}

/** Ended rounds, the newest first. */
export function pastRounds(events: readonly TableEvent[]): readonly PastRound[] {
  const rounds: PastRound[] = [];
  let melds: readonly Meld[] = [];
  for (const { cacheta: event } of events) {
    if (event?.wentOut) melds = event.wentOut.melds;
    if (event?.roundEnded) {
      const { round, winner, lost, points } = event.roundEnded;
      rounds.unshift({ round, winner, lost, points, melds });
      melds = [];
    }
    if (event?.roundVoided) {
      rounds.unshift({ round: event.roundVoided.round, winner: undefined, lost: 0, points: [], melds: [] });
    }
  }
  return rounds;
}
