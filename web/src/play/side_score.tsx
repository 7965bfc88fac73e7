// The score of two sides in the table's bar, from one's own.

interface SideScoreProps {
  readonly words: { readonly label: string; readonly ours: string; readonly theirs: string };
  /** Ours, theirs. */
  readonly score: readonly [number, number];
  /** The points that win; absent where a match ends otherwise. */
  readonly goal?: number | undefined;
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
