// What is to be done now, and by whom, in one sentence.

import { listed } from "../../i18n/language.ts";
import type { TrucoTable } from "./table.ts";
import { raiseName, trucoWords } from "./words/index.ts";

/** What the hand was worth before a raise to this value: what who runs gives away. */
const BEFORE: Readonly<Record<number, number>> = { 3: 1, 6: 3, 9: 6, 12: 9 };

export function valueBefore(raise: number): number {
  return BEFORE[raise] ?? 1;
}

/** The sentence above one's cards. */
export function promptFor(table: TrucoTable): string {
  const { view, truco, seats, offer, match } = table;
  const w = trucoWords.value.prompt;
  if (match.told.value !== null) return match.told.value;
  if (view.status === "TABLE_STATUS_ENDED") return w.over;
  const awaited = view.clock?.seats ?? [];
  const isMe = awaited.some((seat) => seats.isMe(seat));
  if (truco.phase === "PHASE_ANSWER_RAISE" && truco.pendingRaise) {
    const { bySeat, value } = truco.pendingRaise;
    return `${w.asked(seats.who(bySeat), raiseName(value))} ${isMe ? w.answer : w.waitAnswer}`;
  }
  if (truco.phase === "PHASE_ELEVEN_HAND") {
    if (isMe) return w.elevenMine(seats.count / 2 - 1);
    const side = truco.elevenSide ?? 0;
    return seats.isMineKnown && !seats.isOurs(side)
      ? w.elevenTheirs
      : w.elevenOf(listed(awaited.map((seat) => seats.who(seat))));
  }
  if (isMe) {
    if (truco.blind) return w.blind;
    return offer.raise ? w.playOrRaise(raiseName(offer.raise.raise.value)) : w.play;
  }
  const [first] = awaited;
  return first === undefined ? "" : w.turnOf(seats.inside(first));
}
