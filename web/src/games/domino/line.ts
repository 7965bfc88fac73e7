// How the line of tiles winds over the table. It begins in the middle; one arm goes right and turns down where there is no
// room, the other goes left and turns up. A tile once laid never moves: where it lies depends only on those before it.
//
// Units: a tile is 2 long and 1 wide. The first tile's middle is the origin; x grows to the right, y downwards.

import type { TilePlayed } from "../../api/generated/games_domino.ts";

/** A tile in the line, its numbers as they follow each other along its arm from the first tile outwards. */
export interface Link {
  readonly inner: number;
  readonly outer: number;
  /** Its place in the order of play, from 0. */
  readonly index: number;
}

export interface Chain {
  /** From left to right, for `inner` read left. */
  readonly first: Link | undefined;
  /** From the first tile outwards. */
  readonly left: readonly Link[];
  readonly right: readonly Link[];
}

/** Where a tile lies: its middle, its size, and how far it is turned clockwise from inner left, outer right. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly degrees: number;
}

export interface Placed extends Spot {
  readonly link: Link;
}

export interface Line {
  readonly tiles: readonly Placed[];
  /** Where the next tile would lie at each end; null while no tile lies. */
  readonly ends: { readonly left: Spot; readonly right: Spot } | null;
}

/** The line's order, from the plays of the round. */
export function chainOf(plays: readonly TilePlayed[]): Chain {
  let first: Link | undefined;
  const left: Link[] = [];
  const right: Link[] = [];
  plays.forEach(({ tile, end, ends }, index) => {
    if (tile === undefined || ends === undefined) return;
    const other = (number: number): number => (number === tile.low ? tile.high : tile.low);
    if (end === "END_LEFT") left.push({ inner: other(ends.left), outer: ends.left, index });
    else if (end === "END_RIGHT") right.push({ inner: other(ends.right), outer: ends.right, index });
    else first = { inner: ends.left, outer: ends.right, index };
  });
  return { first, left, right };
}

/** Lays a chain in a strip so many units wide. */
export function layLine({ first, left, right }: Chain, width: number): Line {
  if (first === undefined) return { tiles: [], ends: null };
  const isDouble = first.inner === first.outer;
  const middle: Placed = {
    link: first,
    x: 0,
    y: 0,
    w: isDouble ? 1 : 2,
    h: isDouble ? 2 : 1,
    degrees: isDouble ? 90 : 0,
  };
  const start: Cursor = {
    direction: 1,
    x: middle.w / 2,
    y: 0,
    lastX: middle.w / 2 - 0.5,
    bottom: middle.h / 2,
    isTurning: false,
  };
  const rightArm = layArm(right, start, width / 2);
  const leftArm = layArm(left, start, width / 2);
  return {
    tiles: [middle, ...rightArm.tiles, ...leftArm.tiles.map(turned)],
    ends: { left: turned(rest(leftArm.next)), right: rest(rightArm.next) },
  };
}

/** Where an arm has come to. */
interface Cursor {
  /** 1 to the right, -1 to the left. */
  readonly direction: 1 | -1;
  /** The edge that the next tile lies against. */
  readonly x: number;
  /** The middle of its row. */
  readonly y: number;
  /** The middle of the last half, across. */
  readonly lastX: number;
  /** The lower edge of the last tile. */
  readonly bottom: number;
  /** The last tile turned the corner. */
  readonly isTurning: boolean;
}

interface Step {
  readonly spot: Spot;
  readonly after: Cursor;
}

function layArm(links: readonly Link[], start: Cursor, reach: number): { tiles: Placed[]; next: Spot } {
  let cursor = start;
  const tiles: Placed[] = [];
  for (const link of links) {
    const { spot, after } = step(cursor, link.inner === link.outer, reach);
    tiles.push({ ...spot, link });
    cursor = after;
  }
  return { tiles, next: step(cursor, false, reach).spot };
}

/** Lays one tile. A double lies across its row, but for the corners, where it lies along. */
function step(cursor: Cursor, isDouble: boolean, reach: number): Step {
  const { direction, x, y, lastX, bottom, isTurning } = cursor;
  const isAcross = isDouble && !isTurning;
  const length = isAcross ? 1 : 2;
  const edge = x + direction * length;
  if (Math.abs(edge) > reach) return corner(direction, lastX, bottom);
  const spot: Spot = isAcross
    ? { x: x + direction / 2, y, w: 1, h: 2, degrees: 90 }
    : { x: x + direction, y, w: 2, h: 1, degrees: direction === 1 ? 0 : 180 };
  const after: Cursor = {
    direction,
    x: edge,
    y,
    lastX: edge - direction / 2,
    bottom: y + spot.h / 2,
    isTurning: false,
  };
  return { spot, after };
}

/** A tile that goes down from the last half; the next row begins under it, the other way. */
function corner(direction: 1 | -1, lastX: number, bottom: number): Step {
  return {
    spot: { x: lastX, y: bottom + 1, w: 1, h: 2, degrees: 90 },
    after: {
      direction: direction === 1 ? -1 : 1,
      x: lastX + direction / 2,
      y: bottom + 2.5,
      lastX,
      bottom: bottom + 2,
      isTurning: true,
    },
  };
}

/** The left arm is the right one, turned half round the first tile. */
function turned<Some extends Spot>(spot: Some): Some {
  return { ...spot, x: -spot.x, y: -spot.y, degrees: (spot.degrees + 180) % 360 };
}

function rest({ x, y, w, h, degrees }: Spot): Spot {
  return { x, y, w, h, degrees };
}

/** The top and the height of all that is shown, at least so high, with the line in its middle. */
export function frame(
  { tiles, ends }: Line,
  leastHeight: number,
): { readonly top: number; readonly height: number } {
  const spots: Spot[] = [...tiles, ...(ends === null ? [] : [ends.left, ends.right])];
  const top = Math.min(0, ...spots.map(({ y, h }) => y - h / 2));
  const bottom = Math.max(0, ...spots.map(({ y, h }) => y + h / 2));
  const height = Math.max(leastHeight, bottom - top + 0.5);
  return { top: (top + bottom - height) / 2, height };
}
