// Single keys that play: C draws, L takes the lixo, B lays, D discards, E ends the turn, O changes the order.

import { useSingleKeys } from "../../play/keys.ts";
import type { Match } from "../../play/match.ts";
import { type Choice, order, orderBy } from "./choice.ts";
import { discarding, drawing, ending, laying, play, taking } from "./deeds.ts";
import { buracoTable } from "./table.ts";

export function useShortcuts(match: Match, choice: Choice): void {
  useSingleKeys((key) => press(key, match, choice), [match, choice]);
}

function press(key: string, match: Match, choice: Choice): boolean {
  const table = buracoTable(match);
  if (table === null) return false;
  const chosen = choice.of(table.hand);
  switch (key) {
    case "c":
      return play(table, drawing(table));
    case "l":
      return play(table, taking(table, chosen));
    case "b":
      return play(table, laying(table, chosen));
    case "d":
      return play(table, discarding(table, chosen));
    case "e":
      return play(table, ending(table));
    case "o":
      orderBy(order.value === "suit" ? "rank" : "suit");
      return true;
    default:
      return false;
  }
}
