// What happens at every table, whatever is played there, in words.

import type { TableEvent } from "../api/generated/table.ts";
import { words } from "../i18n/index.ts";
import type { Seats } from "./seats.ts";

/** One event of the table itself; null for what needs no words. */
export function platformSentence(event: TableEvent, seats: Seats): string | null {
  const w = words.value.events;
  if (event.playedAutomatically) return w.playedAutomatically(seats.inside(event.playedAutomatically.seat));
  if (event.seatBecameAbsent) {
    const { seat, left } = event.seatBecameAbsent;
    return left ? w.left(seats.who(seat), seats.isMe(seat)) : w.absent(seats.who(seat), seats.isMe(seat));
  }
  if (event.seatEliminated) {
    const { seat, robotPlaysOn } = event.seatEliminated;
    const out = w.eliminated(seats.who(seat), seats.isMe(seat));
    return robotPlaysOn ? `${out} ${w.robotPlaysOn}` : out;
  }
  if (event.seatReturned) return w.returned(seats.who(event.seatReturned.seat));
  if (event.clockMoved) return w.clockMoved;
  return null;
}

interface ScoreWords {
  both(ours: number, theirs: number): string;
  each(first: string, points: number, second: string, others: number): string;
}

/** The score as it is said: from one's own side, or with both sides' names for who watches. */
export function scoreInWords(w: ScoreWords, score: readonly number[], seats: Seats): string {
  const [ours, theirs] = seats.scoreOf(score);
  return seats.isMineKnown
    ? w.both(ours, theirs)
    : w.each(seats.sideNames(0), ours, seats.sideNames(1), theirs);
}

/** With a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
