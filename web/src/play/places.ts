// Where a seat is drawn: mine below, the others round the table in order of play.

import type { TableView } from "../api/generated/table.ts";

export type Position =
  | "me"
  | "right"
  | "right-high"
  | "right-low"
  | "top"
  | "top-right"
  | "top-left"
  | "left"
  | "left-high"
  | "left-low";

const ROUND: Readonly<Record<number, readonly Position[]>> = {
  2: ["me", "top"],
  3: ["me", "right", "left"],
  4: ["me", "right", "top", "left"],
  5: ["me", "right", "top-right", "top-left", "left"],
  6: ["me", "right-low", "right-high", "top", "left-high", "left-low"],
  7: ["me", "right-low", "right-high", "top-right", "top-left", "left-high", "left-low"],
  8: ["me", "right-low", "right-high", "top-right", "top", "top-left", "left-high", "left-low"],
};

/** The position of a place where play goes anticlockwise: the next seat is to my right. */
export function anticlockwise(place: number, count: number): Position {
  return ROUND[count]?.[place] ?? "top";
}

/** The position of a place where play goes clockwise: the next seat is to my left. */
export function clockwise(place: number, count: number): Position {
  return anticlockwise((count - place) % count, count);
}

/** How the seats of a table are drawn: clockwise, unless its house plays the other way. */
export function placing(view: TableView): (place: number, count: number) => Position {
  const isTheOtherWay = view.switches.some(({ name, value }) => name === "direction" && value === "ccw");
  return isTheOtherWay ? anticlockwise : clockwise;
}
