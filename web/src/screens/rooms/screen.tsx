// The rooms as a player sees them: where they are, what they may choose, what they wait for.

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Room } from "../../api/rooms.ts";
import { toWelcome } from "../../app/controller.ts";
import { words } from "../../i18n/index.ts";
import { AccessBox } from "./access.tsx";
import { LeaguePanel } from "./league.tsx";
import { gameName } from "./names.ts";
import { Rooms } from "./rooms.ts";
import { TablesPanel } from "./tables.tsx";
import { Waiting } from "./waiting.tsx";
import { RulesLink } from "../rules_link.tsx";
import { SettingsButton } from "../settings_button.tsx";

const ROOMS: readonly Room[] = ["livre", "treino", "ranqueada"];

export function RoomsScreen() {
  const rooms = useMemo(() => new Rooms(), []);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    void rooms.open();
    return () => rooms.close();
  }, [rooms]);
  useLayoutEffect(() => title.current?.focus(), []);
  const w = words.value;
  const isWaiting = rooms.isWaiting.value;
  return (
    <main id="rooms" class="rooms" aria-busy={rooms.work.isBusy.value}>
      <header class="bar">
        <h1 class="brand">Carteado</h1>
        <span class="bar-buttons">
          <SettingsButton />
          <button
            id="rooms-back"
            class="quiet"
            type="button"
            disabled={isWaiting}
            onClick={() => toWelcome()}
          >
            {w.rooms.back}
          </button>
        </span>
      </header>
      <h2 id="rooms-title" tabIndex={-1} ref={title}>
        {w.rooms.title}
      </h2>
      <p id="rooms-error" class="error" role="alert">
        {rooms.work.error.value}
      </p>
      {rooms.place.value?.kind === "playing" && (
        <section id="rooms-running" class="rooms-waiting">
          <p>{w.rooms.running}</p>
          <button id="rooms-return" class="primary" type="button" onClick={() => rooms.toTable()}>
            {w.rooms.return}
          </button>
        </section>
      )}
      {isWaiting ? <Waiting rooms={rooms} /> : <Choice rooms={rooms} />}
    </main>
  );
}

function Choice({ rooms }: { rooms: Rooms }) {
  const w = words.value.rooms;
  const { room, preset } = rooms.choice.value;
  const game = rooms.game.value;
  return (
    <section id="rooms-choice" class="rooms-choice" aria-label={w.choice}>
      <fieldset>
        <legend class="unseen">{w.room}</legend>
        {ROOMS.map((one) => (
          <label key={one} class="room-option">
            <input
              type="radio"
              name="room"
              value={one}
              checked={room === one}
              disabled={game?.rooms.includes(one) === false}
              onChange={() => rooms.choose({ room: one })}
            />{" "}
            <strong>{w.names[one]}</strong> <small>{w.about[one]}</small>
          </label>
        ))}
      </fieldset>
      <div class="rooms-options">
        <label class="rooms-game">
          {w.game}{" "}
          <select
            id="rooms-game"
            value={preset}
            onChange={(event) => rooms.choose({ preset: event.currentTarget.value })}
          >
            {rooms.games.value.map((one) => (
              <option key={one.preset} value={one.preset}>
                {gameName(one.preset)}
              </option>
            ))}
          </select>
        </label>
        {preset !== "" && <RulesLink preset={preset} />}
        {room === "treino" && <TrainingOptions rooms={rooms} />}
      </div>
      <AccessBox rooms={rooms} />
      {room === "livre" && <TablesPanel rooms={rooms} />}
      {room === "ranqueada" && <LeaguePanel rooms={rooms} />}
    </section>
  );
}

function TrainingOptions({ rooms }: { rooms: Rooms }) {
  const w = words.value.rooms;
  const { seats, strength } = rooms.choice.value;
  const counts = rooms.game.value?.player_counts ?? [];
  return (
    <>
      <label class="rooms-game">
        {w.strength}{" "}
        <select
          id="rooms-strength"
          value={strength}
          onChange={(event) => rooms.choose({ strength: event.currentTarget.value })}
        >
          {rooms.strengths.value.map((one) => (
            <option key={one} value={one}>
              {w.strengths[one] ?? one}
            </option>
          ))}
        </select>
      </label>
      {counts.length > 1 && (
        <label class="rooms-game">
          {w.seats}{" "}
          <select
            id="rooms-seats"
            value={seats}
            onChange={(event) => rooms.choose({ seats: Number(event.currentTarget.value) })}
          >
            {counts.map((count) => (
              <option key={count} value={count}>
                {w.seatCount(count)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
