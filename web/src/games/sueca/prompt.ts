// What is to be done now, and by whom, in one sentence.

import { suitWord } from "../../cards/names.ts";
import type { SuecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

/** The sentence above one's cards. */
export function promptFor({ match, view, sueca, seats, held }: SuecaTable): string {
  const w = suecaWords.value.prompt;
  if (match.told.value !== null) return match.told.value;
  if (view.status === "TABLE_STATUS_ENDED") return w.over;
  const [awaited] = view.clock?.seats ?? [];
  if (awaited === undefined) return "";
  if (!seats.isMe(awaited)) return w.turnOf(seats.inside(awaited));
  const led = sueca.tricks.at(-1);
  const first = led?.winnerSeat === undefined ? led?.cards[0]?.card : undefined;
  if (first === undefined) return w.lead;
  const suit = suitWord(first.suit);
  return held.some(({ card }) => card.suit === first.suit) ? w.follow(suit) : w.free(suit);
}
