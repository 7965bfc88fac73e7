import type { Match } from "../../play/match.ts";
import { SideScore } from "../../play/side_score.tsx";
import { sideName, sidesFromOurs } from "./names.ts";
import { buracoTable, pointsSoFar, switchOf } from "./table.ts";
import { buracoWords } from "./words/index.ts";

/** The points so far: those of the deals that have ended, and what lies on the table. */
export function Score({ match }: { match: Match }) {
  const table = buracoTable(match);
  if (table === null) return null;
  const { view, seats, buraco } = table;
  const [ours, theirs] = sidesFromOurs(seats);
  const words = {
    label: buracoWords.value.score.label,
    ours: sideName(seats, ours),
    theirs: sideName(seats, theirs),
  };
  const isToTarget = switchOf(view, "match_format") === "target";
  return (
    <SideScore
      words={words}
      score={seats.scoreOf(pointsSoFar(buraco))}
      goal={isToTarget ? Number(switchOf(view, "target_points")) : undefined}
    />
  );
}
