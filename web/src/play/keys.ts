// Single keys that play, for who likes them: they can be switched off.

import { type Inputs, useLayoutEffect } from "preact/hooks";
import { settings } from "../session/settings.ts";

/**
 * Listens to single keys while the table is shown. `press` is given a key in lower case and says whether it did something;
 * it is taken anew when one of the inputs is another one.
 */
export function useSingleKeys(press: (key: string) => boolean, inputs: Inputs): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!settings.hasShortcuts.value || !isForTheTable(event)) return;
      if (press(event.key.toLowerCase())) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, inputs);
}

/** Not while something is typed or chosen, nor in a dialog, nor with another key held. */
function isForTheTable(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return false;
  const target = event.target as Element | null;
  return target?.closest("input, select, textarea, dialog") == null;
}
