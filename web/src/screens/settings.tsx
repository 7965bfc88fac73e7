// How the page looks and behaves for this browser's player.

import { close } from "../app/controller.ts";
import { Face } from "../cards/card.tsx";
import { choose, LANGUAGES, language, words } from "../i18n/index.ts";
import { type DeckFace, settings } from "../session/settings.ts";
import { Dialog } from "./dialog.tsx";
import { Switch } from "./switch.tsx";

const DECKS: readonly DeckFace[] = ["french", "spanish"];
const LANGUAGE_NAMES = { pt: "Português", en: "English" };

export function SettingsDialog() {
  const w = words.value.settings;
  return (
    <Dialog id="settings" title={w.title} class="settings" onClose={() => close("settings")}>
      <div class="settings-cards" aria-hidden="true">
        <Face card={{ rank: "RANK_FOUR", suit: "SUIT_PAUS", pack: 0 }} />
        <Face card={{ rank: "RANK_QUEEN", suit: "SUIT_COPAS", pack: 0 }} />
        <Face card={{ rank: "RANK_KING", suit: "SUIT_ESPADAS", pack: 0 }} />
        <Face card={{ rank: "RANK_SEVEN", suit: "SUIT_OUROS", pack: 0 }} />
      </div>
      <fieldset>
        <legend>{w.deck}</legend>
        {DECKS.map((deck) => (
          <label key={deck} class="setting">
            <input
              type="radio"
              name="deck"
              checked={settings.deckFace.value === deck}
              onChange={() => (settings.deckFace.value = deck)}
            />
            {w.decks[deck]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{w.language}</legend>
        {LANGUAGES.map((one) => (
          <label key={one} class="setting" lang={one}>
            <input
              type="radio"
              name="language"
              checked={language.value === one}
              onChange={() => choose(one)}
            />
            {LANGUAGE_NAMES[one]}
          </label>
        ))}
      </fieldset>
      <Switch id="four-colours" label={w.fourColours} setting={settings.hasFourColours} />
      <Switch id="shortcuts" label={w.shortcuts} setting={settings.hasShortcuts} />
      <div class="row">
        <button class="primary" type="button" onClick={() => close("settings")}>
          {w.close}
        </button>
      </div>
    </Dialog>
  );
}
