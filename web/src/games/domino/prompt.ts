// What is to be done now, and by whom, in one sentence.

import { type DominoTable, tileKey } from "./table.ts";
import { dominoWords } from "./words/index.ts";

/** The sentence above one's tiles. */
export function promptFor({ match, view, domino, seats, chosen }: DominoTable): string {
  const w = dominoWords.value.prompt;
  if (match.told.value !== null) return match.told.value;
  if (view.status === "TABLE_STATUS_ENDED") return w.over;
  if (chosen !== null) return w.choose(tileKey(chosen.tile));
  const [awaited] = view.clock?.seats ?? [];
  if (awaited === undefined) return "";
  if (!seats.isMe(awaited)) return w.turnOf(seats.inside(awaited));
  if (domino.ends !== undefined) return w.play(domino.ends.left, domino.ends.right);
  return domino.opening === undefined ? w.open : w.openWith(tileKey(domino.opening));
}
