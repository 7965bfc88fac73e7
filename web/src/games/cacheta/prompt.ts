// What is to be done now, and by whom, in one sentence.

import { cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { type CachetaTable, myCards } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

/** The sentence above one's cards; `chosen` is the key of the card that was picked up. */
export function promptFor(table: CachetaTable, chosen: string | null): string {
  const { view, cacheta, seats, match, offer } = table;
  const w = cachetaWords.value.prompt;
  if (match.told.value !== null) return match.told.value;
  if (view.status === "TABLE_STATUS_ENDED") return w.over;
  if (seats.isMineKnown && cacheta.points[seats.mine] === 0) return w.fallen;
  if (cacheta.phase === "PHASE_WINDOW") return ofWindow(table);
  if (!seats.isMe(cacheta.toPlay)) return w.turnOf(seats.inside(cacheta.toPlay));
  if (cacheta.phase === "PHASE_DRAW") return cacheta.discardTop === undefined ? w.drawStock : w.draw;
  if (offer.outWithTen !== undefined || offer.outs.size > 0) return w.goOut;
  const card = myCards(table).find((one) => cardKey(one) === chosen);
  return card === undefined ? w.choose : w.chosen(cardWords(card));
}

function ofWindow({ cacheta, seats, offer }: CachetaTable): string {
  const w = cachetaWords.value.prompt;
  const { window, discardTop } = cacheta;
  const isAsked =
    window !== undefined &&
    window.mayClaim.some((seat) => seats.isMe(seat)) &&
    ![...window.claimed, ...window.passed].some((seat) => seats.isMe(seat));
  if (!isAsked || discardTop === undefined) return w.waitWindow;
  const [who, card] = [seats.who(window.discarder), cardWords(discardTop)];
  if (offer.jump === undefined) return w.noClaim(who, card);
  return seats.isMe(cacheta.toPlay) ? w.mayClaim(who, card) : w.claim(who, card);
}
