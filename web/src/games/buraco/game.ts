// Buraco, Tranca and Canastra, as the client's tables know a game.

import type { TableView } from "../../api/generated/table.ts";
import type { Seats } from "../../play/seats.ts";
import type { Game, Outcome } from "../game.ts";
import { Board } from "./board.tsx";
import { checkDeals } from "./check.ts";
import { seeDeals } from "./deals.ts";
import { History } from "./history.tsx";
import { sideName, sidesFromOurs } from "./names.ts";
import { countingParts } from "./parts.ts";
import { Rules } from "./rules.tsx";
import { interludes } from "./scene.ts";
import { Score } from "./score.tsx";
import { sentence, speech, whereItStands } from "./sentences.ts";
import { buracoWords } from "./words/index.ts";

export const BURACO: Game = {
  presets: [
    "buraco-aberto",
    "buraco-fechado",
    "buraco-fechado-stbl",
    "canastra",
    "tranca",
    "tranca@003",
    "buraco-aberto@004",
    "buraco-fechado@004",
    "buraco-fechado-stbl@004",
  ],
  isOf: (view) => view.buraco !== undefined,
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
  const w = buracoWords.value.result;
  const [winner, ...others] = view.result?.winners ?? [];
  const [ours, theirs] = seats.scoreOf(view.result?.score ?? []);
  const isDrawn = winner === undefined || others.length > 0;
  return {
    title: isDrawn ? w.drawn : wonBy(winner, seats),
    score: `${ours} × ${theirs}`,
    text: partsInWords(view, seats),
  };
}

/** Who has won, as one says it to a player or to who watches. */
function wonBy(winner: number, seats: Seats): string {
  const w = buracoWords.value.result;
  const isPair = seats.count > 2;
  const name = sideName(seats, winner);
  if (!seats.isMineKnown) return isPair ? w.pairWon(name) : w.lost(false, name);
  return seats.isOurs(winner) ? w.won(isPair) : w.lost(isPair, name);
}

/** What the last deal gave to each side, part by part. */
function partsInWords(view: TableView, seats: Seats): string {
  const words = buracoWords.value;
  const scored = view.buraco?.scored ?? [];
  return sidesFromOurs(seats)
    .flatMap((side) => {
      const has = scored[side];
      if (has === undefined) return [];
      const parts = countingParts([has]).map((part) =>
        words.result.part(words.history.parts[part], has[part]),
      );
      return words.result.parts(sideName(seats, side), parts.join(", "));
    })
    .join(" ");
}
