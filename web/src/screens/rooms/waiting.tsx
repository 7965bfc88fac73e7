// The wait for a match: what for, for how long, and the way out.

import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../../i18n/index.ts";
import { gameName } from "./names.ts";
import type { Rooms } from "./rooms.ts";

export function Waiting({ rooms }: { rooms: Rooms }) {
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  const w = words.value.rooms;
  const place = rooms.place.value;
  const game = gameName(place?.preset ?? "");
  const state =
    place?.kind === "queue" ? w.inQueue(game) : place?.kind === "open_table" ? w.atTable(game) : w.starting;
  return (
    <section id="rooms-waiting" class="rooms-waiting" aria-label={w.waiting}>
      <p id="rooms-state" role="status">
        {state}
      </p>
      <p id="rooms-since" class="rooms-since" role="timer" aria-label={w.since}>
        {rooms.waited.value === null ? "" : clock(rooms.waited.value)}
      </p>
      {place?.kind !== "starting" && (
        <button id="rooms-cancel" type="button" ref={cancel} onClick={() => rooms.cancel()}>
          {place?.kind === "queue" ? w.leaveQueue : w.standUp}
        </button>
      )}
    </section>
  );
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
