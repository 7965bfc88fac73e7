// The score of two sides in the table's bar, from one's own.

import type { Seats } from "./seats.ts";

interface SideWords {
  readonly label: string;
  readonly ours: string;
  readonly theirs: string;
}

interface SideScoreProps {
  readonly words: SideWords;
  /** Ours, theirs. */
  readonly score: readonly [number, number];
  /** The points that win; absent where a match ends otherwise. */
  readonly goal?: number | undefined;
}

/** What the two sides are called: us and them, or by their players' names for who watches. */
export function sideWords({ label, ours, theirs }: SideWords, seats: Seats): SideWords {
  return seats.isMineKnown
    ? { label, ours, theirs }
    : { label, ours: seats.sideNames(0), theirs: seats.sideNames(1) };
}

/** Both scores, and how far each side has come on its way. */
export function SideScore({ words, score: [ours, theirs], goal }: SideScoreProps) {
  return (
    <div class="score" id="score" role="group" aria-label={words.label}>
      <span class="tally ours">
        <span class="tally-name">{words.ours}</span>
        <strong>{ours}</strong>
        {goal !== undefined && <Way part={ours / goal} />}
      </span>
      <span class="tally theirs">
        <strong>{theirs}</strong>
        <span class="tally-name">{words.theirs}</span>
        {goal !== undefined && <Way part={theirs / goal} />}
      </span>
    </div>
  );
}

function Way({ part }: { part: number }) {
  return (
    <span class="way" aria-hidden="true">
      <span style={{ transform: `scaleX(${Math.min(1, Math.max(0, part))})` }} />
    </span>
  );
}
