// A deal's points, part by part.

import type { SideScore } from "../../api/generated/games_buraco.ts";

export const PARTS = ["cards", "canastras", "batida", "redThrees", "inHand", "morto"] as const;

export type Part = (typeof PARTS)[number];

/** The parts that count for one of these sides at least. */
export function countingParts(sides: readonly SideScore[]): readonly Part[] {
  return PARTS.filter((part) => part === "cards" || sides.some((side) => side[part] !== 0));
}
