// The start: a name, and one button to a table.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { leaveAccount, quickTable, signIn, toRooms, welcomeError } from "../app/controller.ts";
import { useWork } from "../app/work.ts";
import { Face } from "../cards/card.tsx";
import { cardOf } from "../cards/cards.ts";
import { GAMES } from "../games/registry.ts";
import { words } from "../i18n/index.ts";
import { session } from "../session/session.ts";
import { SettingsButton } from "./settings_button.tsx";

const FAN = ["4P", "7C", "AE", "7O"];

export function WelcomeScreen() {
  const w = words.value;
  return (
    <main id="welcome" class="welcome">
      <span class="corner-button">
        <SettingsButton />
      </span>
      <div class="fan" id="fan" aria-hidden="true">
        {FAN.map((code) => (
          <Face key={code} card={cardOf(code)} />
        ))}
      </div>
      <h1>Carteado</h1>
      <p class="tagline">{w.welcome.tagline}</p>
      {session.value === null ? <NameForm /> : <Known name={session.value.name} />}
      {GAMES.map(({ presets, Rules }) => (
        <details key={presets[0]}>
          <summary>{w.welcome.howTo(w.games[presets[0] ?? ""] ?? "")}</summary>
          <Rules />
        </details>
      ))}
    </main>
  );
}

function NameForm() {
  const w = words.value.welcome;
  const work = useWork();
  const name = useSignal("");
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = (goOn: () => Promise<void> | void): void => {
    welcomeError.value = "";
    const suggest = (free: string): void => {
      name.value = free;
    };
    void work.run(async () => {
      await signIn(name.value.trim(), suggest);
      await goOn();
    });
  };
  return (
    <form
      id="name-form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        submit((event.submitter as HTMLElement | null)?.id === "name-rooms" ? toRooms : quickTable);
      }}
    >
      <label htmlFor="name">{w.ask}</label>
      <div class="row">
        <input
          id="name"
          name="name"
          maxLength={20}
          required
          autoComplete="nickname"
          spellcheck={false}
          aria-describedby="name-error"
          ref={input}
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <button class="primary" type="submit" disabled={work.isBusy.value}>
          {w.play}
        </button>
      </div>
      <p id="name-error" class="error" role="alert">
        {work.error.value || welcomeError.value}
      </p>
      <button id="name-rooms" class="quiet" type="submit" disabled={work.isBusy.value}>
        {w.chooseRoom}
      </button>
    </form>
  );
}

function Known({ name }: { name: string }) {
  const w = words.value.welcome;
  const work = useWork();
  const play = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => play.current?.focus(), []);
  return (
    <div id="known">
      <p>
        {w.hello}
        <strong id="known-name">{name}</strong>!
      </p>
      <div class="row">
        <button
          id="known-play"
          class="primary"
          type="button"
          ref={play}
          disabled={work.isBusy.value}
          onClick={() => void work.run(quickTable)}
        >
          {w.play}
        </button>
        <button id="known-rooms" type="button" onClick={toRooms}>
          {w.rooms}
        </button>
        <button id="known-other" type="button" onClick={leaveAccount}>
          {w.otherName}
        </button>
      </div>
      <p id="known-error" class="error" role="alert">
        {work.error.value || welcomeError.value}
      </p>
    </div>
  );
}
