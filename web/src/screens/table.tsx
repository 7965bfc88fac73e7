// A table: its bar, the game's own part, and what happened in words.

import { useLayoutEffect, useRef } from "preact/hooks";
import { askToLeave } from "../app/controller.ts";
import { words } from "../i18n/index.ts";
import type { Match } from "../play/match.ts";
import { settings } from "../session/settings.ts";
import { RulesLink } from "./rules_link.tsx";
import { Switch } from "./switch.tsx";
import { SettingsButton } from "./settings_button.tsx";

/** Where there is room, what was played before is there to see. */
const isWide = matchMedia("(min-width: 900px)").matches;

export function TableScreen({ match }: { match: Match }) {
  const w = words.value;
  const game = match.game.value;
  const view = match.view.value;
  const preset = view?.preset;
  const isUnknown = view !== null && game === null;
  return (
    <main id="table" class="table" data-version={view?.version}>
      <header class="bar">
        <h1 class="brand">Carteado</h1>
        {game !== null && <game.Score match={match} />}
        <span class="bar-buttons">
          {preset !== undefined && <RulesLink preset={preset} isSmall />}
          <SettingsButton />
          <button id="leave" class="quiet" type="button" onClick={askToLeave}>
            {w.table.leave}
          </button>
        </span>
      </header>
      {game !== null && <game.Board match={match} />}
      {isUnknown && <p class="felt unknown">{w.table.unknownGame}</p>}
      <aside class="side">
        <h2>{w.table.log}</h2>
        <Log match={match} />
        {game !== null && (
          <details class="before" open={isWide}>
            <summary>{w.table.history}</summary>
            <game.History match={match} />
          </details>
        )}
        <Switch id="hurry" label={w.settings.hurry} setting={settings.isHurried} />
      </aside>
    </main>
  );
}

/** Tells the game, line by line; a screen reader reads what is added. */
function Log({ match }: { match: Match }) {
  const list = useRef<HTMLDivElement>(null);
  const lines = match.lines.value;
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [lines]);
  return (
    <div id="log" class="log" role="log" aria-live="polite" aria-relevant="additions" tabIndex={0} ref={list}>
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
