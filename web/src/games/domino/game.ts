// Dominó, as the client's tables know a game.

import type { TableView } from "../../api/generated/table.ts";
import type { Seats } from "../../play/seats.ts";
import type { Game, Outcome } from "../game.ts";
import { Board } from "./board.tsx";
import { checkDeals } from "./check.ts";
import { CheckedTiles } from "./checked.tsx";
import { seeDeals } from "./deals.ts";
import { History } from "./history.tsx";
import { Rules } from "./rules.tsx";
import { interludes } from "./scene.ts";
import { Score } from "./score.tsx";
import { sentence, speech, whereItStands } from "./sentences.ts";
import { dominoWords } from "./words/index.ts";

export const DOMINO: Game = {
  presets: ["domino"],
  isOf: (view) => view.domino !== undefined,
  Score,
  Board,
  History,
  Rules,
  whereItStands,
  sentence,
  speech,
  interludes,
  outcome,
  fairness: { see: seeDeals, check: checkDeals, Pieces: CheckedTiles },
};

function outcome(view: TableView, seats: Seats): Outcome {
  const w = dominoWords.value.result;
  const won = view.result?.winners.some((side) => seats.isOurs(side)) === true;
  const [ours, theirs] = seats.scoreOf(view.result?.score ?? []);
  if (!seats.isMineKnown) {
    return { title: w.wonBy(seats.sideNames(won ? 0 : 1)), score: `${ours} × ${theirs}`, text: "" };
  }
  return {
    title: won ? w.won : w.lost,
    score: `${ours} × ${theirs}`,
    text: won ? w.wonText : w.lostText,
  };
}
