import type { Match } from "../../play/match.ts";
import { cachetaTable } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

/** One's own points, and which round it is; everybody's points stand at their seats. */
export function Score({ match }: { match: Match }) {
  const table = cachetaTable(match);
  if (table === null) return null;
  const { seats, cacheta } = table;
  const w = cachetaWords.value.score;
  return (
    <div class="score" id="score" role="group" aria-label={w.label}>
      {seats.isMineKnown && (
        <span class="tally ours">
          <span class="tally-name">{w.mine}</span>
          <strong>{cacheta.points[seats.mine]}</strong>
        </span>
      )}
      <span class="tally">
        <span class="tally-name">{w.round}</span>
        <strong>{cacheta.round}</strong>
      </span>
    </div>
  );
}
