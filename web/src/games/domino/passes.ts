// Who passed, and on what: what was open then, the seat does not hold.

import type { OpenEnds, SeatPassed, View } from "../../api/generated/games_domino.ts";

/** What was open when a seat passed the last time it was its turn; null where it played. */
export function passOf({ plays, passes }: View, seat: number): OpenEnds | null {
  const pass = passes.findLast((one) => one.seat === seat);
  const played = plays.findLast((one) => one.seat === seat);
  if (pass === undefined || (played !== undefined && played.turn >= pass.turn)) return null;
  return openAt(plays, pass);
}

/** What was open when somebody passed. */
export function openAt(plays: View["plays"], pass: SeatPassed): OpenEnds | null {
  return plays.find(({ turn }) => turn === pass.turn - 1)?.ends ?? null;
}
