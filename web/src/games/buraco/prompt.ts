// What is to be done now, and by whom, in one sentence.

import { type Card, isSame } from "../../cards/cards.ts";
import { mayTakeLixo } from "./moves.ts";
import type { BuracoTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

/** The sentence above one's cards. */
export function promptFor(
  { match, view, buraco, seats, legal }: BuracoTable,
  chosen: readonly Card[],
): string {
  const w = buracoWords.value.prompt;
  if (match.told.value !== null) return match.told.value;
  if (view.status === "TABLE_STATUS_ENDED" || buraco.toPlay === undefined) return w.over;
  const isDrawing = buraco.phase === "PHASE_DRAW";
  if (!seats.isMe(buraco.toPlay)) {
    const name = seats.inside(buraco.toPlay);
    return isDrawing ? w.drawing(name) : w.playing(name);
  }
  if (seats.isOut) return w.out;
  const offer = legal ?? buraco.legal;
  if (isDrawing) return offer !== undefined && mayTakeLixo(offer) ? w.drawOrTake : w.draw;
  if (offer?.endTurn === true) return w.onlyEnd;
  const [card, ...others] = chosen;
  if (card === undefined) return w.play;
  const isBarred = others.length === 0 && buraco.barred.some((one) => isSame(one, card));
  return isBarred ? w.barred : w.playChosen;
}
