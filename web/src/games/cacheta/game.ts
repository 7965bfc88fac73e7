// Cacheta, as the client's tables know a game.

import type { TableView } from "../../api/generated/table.ts";
import type { Seats } from "../../play/seats.ts";
import type { Game, Outcome } from "../game.ts";
import { Board } from "./board.tsx";
import { checkDeals } from "./check.ts";
import { seeDeals } from "./deals.ts";
import { History } from "./history.tsx";
import { Rules } from "./rules.tsx";
import { interludes } from "./scene.ts";
import { Score } from "./score.tsx";
import { pointsOf, sentence, speech, whereItStands } from "./sentences.ts";
import { cachetaWords } from "./words/index.ts";

export const CACHETA: Game = {
  presets: ["cacheta"],
  isOf: (view) => view.cacheta !== undefined,
  Score,
  Board,
  History,
  Rules,
  whereItStands,
  sentence,
  speech,
  interludes,
  hasFallen: ({ cacheta, yourSeat }) => yourSeat !== undefined && cacheta?.points[yourSeat] === 0,
  outcome,
  fairness: { see: seeDeals, check: checkDeals },
};

function outcome(view: TableView, seats: Seats): Outcome {
  const words = cachetaWords.value;
  const w = words.result;
  const { winner, points = [] } = view.cacheta ?? {};
  const mine = seats.isMineKnown ? points[seats.mine] : undefined;
  return {
    title: winner === undefined ? w.draw : seats.isMe(winner) ? w.won : w.lost(seats.who(winner)),
    score: mine === undefined ? "" : words.points(mine),
    text: w.points(pointsOf(points, seats)),
  };
}
