import type { Match } from "../../play/match.ts";
import { SideScore, sideWords } from "../../play/side_score.tsx";
import { dominoWords } from "./words/index.ts";

const GOAL = 50;

/** The points from one's own side, and how far each has come on the way to fifty. */
export function Score({ match }: { match: Match }) {
  const domino = match.view.value?.domino;
  const seats = match.seats.value;
  if (domino === undefined || seats === null) return null;
  return (
    <SideScore
      words={sideWords(dominoWords.value.score, seats)}
      score={seats.scoreOf(domino.score)}
      goal={GOAL}
    />
  );
}
