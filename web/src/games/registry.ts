// The games that have a table here: the one place that a new one is added to.

import type { TableView } from "../api/generated/table.ts";
import { BURACO } from "./buraco/game.ts";
import { DOMINO } from "./domino/game.ts";
import { CACHETA } from "./cacheta/game.ts";
import type { Game } from "./game.ts";
import { MAU_MAU } from "./mau_mau/game.ts";
import { SUECA } from "./sueca/game.ts";
import { TRUCO } from "./truco/game.ts";

export const GAMES: readonly Game[] = [TRUCO, SUECA, DOMINO, BURACO, MAU_MAU, CACHETA];

/** The game of a view; null for one that this client does not know. */
export function gameOf(view: TableView): Game | null {
  return GAMES.find((game) => game.isOf(view)) ?? null;
}

/** The game of a preset; null for one that this client does not know. */
export function gameOfPreset(preset: string): Game | null {
  return GAMES.find((game) => game.presets.includes(preset)) ?? null;
}
