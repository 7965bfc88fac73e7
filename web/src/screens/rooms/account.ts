// What an account opens beside the free games, in a line.

import type { Account } from "../../api/rooms.ts";
import { day, words } from "../../i18n/index.ts";

/** Until when the player's passport, or else the trial, goes on; `nowMs` is the time now. */
export function accountText({ passport, trial_until: trialUntil }: Account, nowMs: number): string {
  const w = words.value.rooms;
  // The last passport stays in the account when it has ended.
  if (passport !== null && passport.status !== "ended") {
    return w.passportUntil(day(passport.status === "in_grace" ? passport.valid_until : passport.paid_until));
  }
  return Date.parse(trialUntil) > nowMs ? w.trialUntil(day(trialUntil)) : w.noPassport;
}
