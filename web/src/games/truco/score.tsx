import type { Match } from "../../play/match.ts";
import { trucoTable } from "./table.ts";
import { trucoWords } from "./words/index.ts";

const GOAL = 12;

/** The score from one's own side, and how far each has come on the way to twelve. */
export function Score({ match }: { match: Match }) {
  const table = trucoTable(match);
  if (table === null) return null;
  const w = trucoWords.value.score;
  const [ours, theirs] = table.seats.scoreOf(table.truco.score);
  return (
    <div class="score" id="score" role="group" aria-label={w.label}>
      <span class="tally ours">
        <span class="tally-name">{w.ours}</span>
        <strong>{ours}</strong>
        <Way points={ours} />
      </span>
      <span class="tally theirs">
        <strong>{theirs}</strong>
        <span class="tally-name">{w.theirs}</span>
        <Way points={theirs} />
      </span>
    </div>
  );
}

function Way({ points }: { points: number }) {
  return (
    <span class="way" aria-hidden="true">
      <span style={{ transform: `scaleX(${Math.min(1, points / GOAL)})` }} />
    </span>
  );
}
