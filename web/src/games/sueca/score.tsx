import type { Match } from "../../play/match.ts";
import { SideScore, sideWords } from "../../play/side_score.tsx";
import { suecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

const GOAL = 4;

/** The game points from one's own side, and how far each has come on the way to four. */
export function Score({ match }: { match: Match }) {
  const table = suecaTable(match);
  if (table === null) return null;
  const { seats, sueca } = table;
  return (
    <SideScore
      words={sideWords(suecaWords.value.score, seats)}
      score={seats.scoreOf(sueca.score)}
      goal={GOAL}
    />
  );
}
