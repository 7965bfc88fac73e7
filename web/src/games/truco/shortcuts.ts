// Single keys that play: 1 to 3 a card, T asks or raises, A accepts, C runs, V covers. They can be switched off.

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Move } from "../../api/generated/games_truco.ts";
import type { Match } from "../../play/match.ts";
import { settings } from "../../session/settings.ts";
import { heldCards } from "./hand.tsx";
import { canCover } from "./moves.ts";
import { trucoTable } from "./table.ts";

export function useShortcuts(match: Match, isCovering: Signal<boolean>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!settings.hasShortcuts.value || !isForTheTable(event)) return;
      if (press(event.key.toLowerCase(), match, isCovering)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [match, isCovering]);
}

function press(key: string, match: Match, isCovering: Signal<boolean>): boolean {
  const table = trucoTable(match);
  if (table === null) return false;
  const { offer } = table;
  if (key === "v" && canCover(offer)) {
    isCovering.value = !isCovering.value;
    return true;
  }
  const byKey: Readonly<Record<string, Move | undefined>> = {
    t: offer.raise,
    a: offer.accept ?? offer.playEleven,
    c: offer.fold ?? offer.declineEleven,
  };
  const move = byKey[key] ?? heldCards(table, isCovering.value)[Number(key) - 1]?.move;
  if (move !== undefined) match.play({ truco: move });
  return move !== undefined;
}

/** Not while something is typed or chosen, nor in a dialog, nor with another key held. */
function isForTheTable(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return false;
  const target = event.target as Element | null;
  return target?.closest("input, select, textarea, dialog") == null;
}
