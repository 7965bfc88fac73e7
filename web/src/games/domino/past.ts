// What happened in a round, in its order, and the rounds that were played before.

import type { RoundEnded, SeatPassed, TilePlayed } from "../../api/generated/games_domino.ts";
import type { TableEvent } from "../../api/generated/table.ts";

/** A tile played, or a pass. */
export interface Deed {
  readonly seat: number;
  readonly play: TilePlayed | null;
}

export interface PastRound {
  readonly deeds: readonly Deed[];
  readonly end: RoundEnded;
}

/** Plays and passes in the order in which they were. */
export function deedsOf(plays: readonly TilePlayed[], passes: readonly SeatPassed[]): readonly Deed[] {
  const before = (turn: number): Deed[] =>
    passes.filter((pass) => pass.turn === turn).map(({ seat }) => ({ seat, play: null }));
  const next = (plays.at(-1)?.turn ?? 0) + 1;
  return [...plays.flatMap((play) => [...before(play.turn), { seat: play.seat, play }]), ...before(next)];
}

/** Ended rounds, the newest first. A round that one came into the middle of is shown as far as it was seen. */
export function pastRounds(events: readonly TableEvent[]): readonly PastRound[] {
  const rounds: PastRound[] = [];
  let deeds: Deed[] = [];
  for (const { domino: event } of events) {
    if (event?.roundDealt) deeds = [];
    else if (event?.tilePlayed) deeds.push({ seat: event.tilePlayed.seat, play: event.tilePlayed });
    else if (event?.seatPassed) deeds.push({ seat: event.seatPassed.seat, play: null });
    else if (event?.roundEnded) {
      rounds.unshift({ deeds, end: event.roundEnded });
      deeds = [];
    }
  }
  return rounds;
}
