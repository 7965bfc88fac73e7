// How this browser's player likes the page: kept here, told to nobody.

import { effect, type Signal, signal } from "@preact/signals";
import { load, save } from "./storage.ts";

export type DeckFace = "french" | "spanish";

export const settings = {
  /** No pauses for looking at what ended. */
  isHurried: kept("hurry", false),
  /** Each suit in a colour of its own. */
  hasFourColours: kept("four-colours", false),
  deckFace: kept<DeckFace>("deck", "french"),
  /** Single keys play: 1 to 3, T, A, C, V. */
  hasShortcuts: kept("shortcuts", true),
};

function kept<Value>(name: string, initial: Value): Signal<Value> {
  const setting = signal<Value>(load<Value>(name) ?? initial);
  effect(() => save(name, setting.value));
  return setting;
}
