// Whether the player may play the chosen game in the chosen room, and why; and the button that does it.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { failureText } from "../../api/ask.ts";
import { type Access, type Account, getAccess, getAccount } from "../../api/rooms.ts";
import { language, words } from "../../i18n/index.ts";
import { isSettled, session } from "../../session/session.ts";
import { accountText } from "./account.ts";
import { onChoice, type Rooms } from "./rooms.ts";

const ASK_AGAIN_MS = 1000;

export function AccessBox({ rooms }: { rooms: Rooms }) {
  const access = useSignal<Access | null>(null);
  const account = useSignal<Account | null>(null);
  const failure = useSignal("");
  useEffect(
    () =>
      onChoice(rooms, ({ preset, room }, isCurrent) => {
        const ask = () => {
          if (!isCurrent() || session.value === null) return;
          getAccess(session.value.token, preset, room).then(
            (known) => {
              if (!isCurrent()) return;
              access.value = known;
              failure.value = "";
              // Who has just registered is on the way to billing.
              if (known.reason === "UNKNOWN_PLAYER") setTimeout(ask, ASK_AGAIN_MS);
            },
            (problem: unknown) => {
              if (isCurrent()) failure.value = failureText(problem);
            },
          );
        };
        ask();
        void learnAccount(isCurrent).then((known) => {
          if (isCurrent()) account.value = known;
        });
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
        <small id="rooms-account">{account.value !== null && accountText(account.value, Date.now())}</small>
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

/** The account; null where it cannot be had: the reason is enough. Who has just registered is known a moment later. */
async function learnAccount(isCurrent: () => boolean): Promise<Account | null> {
  await isSettled();
  if (session.value === null || !isCurrent()) return null;
  return getAccount(session.value.token).catch(() => null);
}

function accessText(access: Access | null): string {
  if (access === null) return "";
  const w = words.value.rooms;
  const why = language.value === "pt" ? access.text : w.reasons[access.reason];
  const left = access.matches_left === null ? "" : w.left(access.matches_left);
  return [access.is_allowed ? w.allowed : w.refused, why, left].filter(Boolean).join(" ");
}
