// Whether the player may play the chosen game in the chosen room, and why; and the button that does it.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { failureText } from "../../api/ask.ts";
import { type Access, type Account, getAccess, getAccount, type Room } from "../../api/rooms.ts";
import { day, language, words } from "../../i18n/index.ts";
import { mustSession } from "../../session/session.ts";
import { onChoice, type Rooms } from "./rooms.ts";

export function AccessBox({ rooms }: { rooms: Rooms }) {
  const access = useSignal<Access | null>(null);
  const account = useSignal<Account | null>(null);
  const failure = useSignal("");
  useEffect(
    () =>
      onChoice(rooms, ({ preset, room }, isCurrent) => {
        learn(preset, room).then(
          (known) => {
            if (!isCurrent()) return;
            access.value = known.access;
            account.value = known.account;
            failure.value = "";
          },
          (problem: unknown) => {
            if (isCurrent()) failure.value = failureText(problem);
          },
        );
      }),
    [rooms],
  );
  const play = useRef<HTMLButtonElement>(null);
  // Who comes back from a wait goes on where they were.
  useLayoutEffect(() => {
    if (rooms.place.peek() !== null) play.current?.focus();
  }, []);
  const w = words.value.rooms;
  const isRefused = access.value?.is_allowed === false;
  return (
    <>
      <div id="rooms-access-box" class={`rooms-access${isRefused ? " refused" : ""}`}>
        <h3>{w.access}</h3>
        <p id="rooms-access" role="status">
          {failure.value || accessText(access.value)}
        </p>
        <small id="rooms-account">{accountText(account.value)}</small>
      </div>
      <button
        id="rooms-play"
        class="primary"
        type="button"
        ref={play}
        disabled={isRefused}
        onClick={() => rooms.play()}
      >
        {w.play[rooms.choice.value.room]}
      </button>
    </>
  );
}

/** One after the other: who has just registered is known to billing a moment later. */
async function learn(preset: string, room: Room): Promise<{ access: Access; account: Account | null }> {
  const { token } = mustSession();
  const access = await getAccess(token, preset, room);
  const account = await getAccount(token).catch(() => null); // The reason is enough.
  return { access, account };
}

function accessText(access: Access | null): string {
  if (access === null) return "";
  const w = words.value.rooms;
  const why = language.value === "pt" ? access.text : w.reasons[access.reason];
  const left = access.matches_left === null ? "" : w.left(access.matches_left);
  return [access.is_allowed ? w.allowed : w.refused, why, left].filter(Boolean).join(" ");
}

function accountText(account: Account | null): string {
  if (account === null) return "";
  const w = words.value.rooms;
  if (account.passport !== null) return w.passportUntil(day(account.passport.valid_until));
  return Date.parse(account.trial_until) > Date.now() ? w.trialUntil(day(account.trial_until)) : w.noPassport;
}
