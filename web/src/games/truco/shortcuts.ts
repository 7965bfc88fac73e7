// Single keys that play Truco: 1 to 3 a card, T asks or raises, A accepts, C runs, V covers.

import type { Signal } from "@preact/signals";
import type { Move } from "../../api/generated/games_truco.ts";
import { useSingleKeys } from "../../play/keys.ts";
import type { Match } from "../../play/match.ts";
import { heldCards } from "./hand.tsx";
import { canCover } from "./moves.ts";
import { trucoTable } from "./table.ts";

export function useShortcuts(match: Match, isCovering: Signal<boolean>): void {
  useSingleKeys((key) => press(key, match, isCovering), [match, isCovering]);
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
