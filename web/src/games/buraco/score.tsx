import type { Match } from "../../play/match.ts";
import { sideName, sidesFromOurs } from "./names.ts";
import { buracoTable, pointsSoFar } from "./table.ts";
import { buracoWords } from "./words/index.ts";

/** The points so far from one's own side: the deals that have ended, and what lies on the table. */
export function Score({ match }: { match: Match }) {
  const table = buracoTable(match);
  if (table === null) return null;
  const { seats, buraco } = table;
  const points = pointsSoFar(buraco);
  const [ours, theirs] = sidesFromOurs(seats);
  return (
    <div class="score" id="score" role="group" aria-label={buracoWords.value.score.label}>
      <span class="tally ours">
        <span class="tally-name">{sideName(seats, ours)}</span>
        <strong>{points[ours]}</strong>
      </span>
      <span class="tally theirs">
        <strong>{points[theirs]}</strong>
        <span class="tally-name">{sideName(seats, theirs)}</span>
      </span>
    </div>
  );
}
