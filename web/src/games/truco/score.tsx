import type { Match } from "../../play/match.ts";
import { SideScore, sideWords } from "../../play/side_score.tsx";
import { trucoTable } from "./table.ts";
import { trucoWords } from "./words/index.ts";

const GOAL = 12;

/** The score from one's own side, and how far each has come on the way to twelve. */
export function Score({ match }: { match: Match }) {
  const table = trucoTable(match);
  if (table === null) return null;
  const { seats, truco } = table;
  return (
    <SideScore
      words={sideWords(trucoWords.value.score, seats)}
      score={seats.scoreOf(truco.score)}
      goal={GOAL}
    />
  );
}
