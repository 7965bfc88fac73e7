// Mau Mau, as the client's tables know a game.

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
import { sentence, speech, whereItStands } from "./sentences.ts";
import { mauMauWords } from "./words/index.ts";

export const MAU_MAU: Game = {
  presets: ["mau-mau"],
  isOf: (view) => view.mauMau !== undefined,
  Score,
  Board,
  History,
  Rules,
  whereItStands,
  sentence,
  speech,
  interludes,
  outcome,
  fairness: { see: seeDeals, check: checkDeals },
};

function outcome(view: TableView, seats: Seats): Outcome {
  const w = mauMauWords.value.result;
  const winner = view.mauMau?.winner;
  const hands = [...(view.mauMau?.hands ?? [])].sort((one, other) => one.count - other.count);
  const mine = hands.find(({ seat }) => seats.isMe(seat));
  const place = mine === undefined ? 0 : hands.filter(({ count }) => count < mine.count).length + 1;
  const losers = hands.filter(({ count }) => count > 0);
  return {
    title: winner === undefined ? w.draw : seats.isMe(winner) ? w.won : w.lost(seats.who(winner)),
    score: place === 0 ? "" : w.place(place),
    text: w.left(losers.map(({ seat, count }) => w.item(seats.who(seat), count)).join(", ")),
  };
}
