// What is to be done now, and by whom, in one sentence.

import { rankWord, suitWord } from "../../cards/names.ts";
import { type MauMauTable, myCards } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

/** The sentence above one's cards. */
export function promptFor(table: MauMauTable): string {
  const { view, mauMau, seats, match } = table;
  const w = mauMauWords.value.prompt;
  if (match.told.value !== null) return match.told.value;
  if (view.status === "TABLE_STATUS_ENDED") return w.over;
  const { toPlay, penalty } = mauMau;
  if (toPlay === undefined) return "";
  if (seats.isMe(toPlay)) return whatToDo(table);
  return penalty > 0 ? w.owes(seats.who(toPlay), penalty) : w.turnOf(seats.inside(toPlay));
}

function whatToDo(table: MauMauTable): string {
  const { mauMau } = table;
  const w = mauMauWords.value.prompt;
  const fits = mauMau.legalMoves.some(({ move }) => move?.playCard !== undefined);
  if (mauMau.penalty > 0) return fits ? w.answerSeven(mauMau.penalty) : w.takePenalty(mauMau.penalty);
  if (mauMau.hasDrawn) return fits ? w.playOrPass : w.pass;
  if (mauMau.top === undefined || myCards(table).length === 0) return "";
  const [suit, rank] = [suitWord(mauMau.suit), rankWord(mauMau.top.rank)];
  return fits ? w.play(suit, rank) : w.draw(suit, rank);
}
