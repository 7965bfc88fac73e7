// How Dominó's line winds: every tile touches the one before it with the same number, none covers another, none leaves the
// table, none moves once it lies.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { End, TilePlayed, View } from "../../web/src/api/generated/games_domino.ts";
import type { TableView } from "../../web/src/api/generated/table.ts";
import { fromHex } from "../../web/src/fairness/bytes.ts";
import { Draws } from "../../web/src/fairness/draws.ts";
import { TILES, deal } from "../../web/src/games/domino/check.ts";
import { chainOf, frame, layLine, type Line, type Placed } from "../../web/src/games/domino/line.ts";
import { passOf } from "../../web/src/games/domino/passes.ts";
import { deedsOf } from "../../web/src/games/domino/past.ts";
import { interludes } from "../../web/src/games/domino/scene.ts";
import { needsEnd, offered, onlyMove } from "../../web/src/games/domino/table.ts";

const WIDTHS = [11, 14.7, 23.7];

/** A round by chance: the first tile, and then whatever fits, at an end that `left` prefers so often. */
function round(seed: number, left: number): TilePlayed[] {
  let state = seed;
  const chance = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
  const tiles = TILES.map((code) => code.split("-").map(Number) as [number, number]);
  tiles.sort(() => chance() - 0.5);
  const [low, high] = tiles.shift() as [number, number];
  let ends = { left: low, right: high };
  const plays = [played(1, low, high, "END_UNSPECIFIED", ends)];
  for (;;) {
    const wanted: readonly ("left" | "right")[] = chance() < left ? ["left", "right"] : ["right", "left"];
    const side = wanted.find((one) => tiles.some((tile) => tile.includes(ends[one])));
    if (side === undefined) return plays;
    const at = tiles.findIndex((tile) => tile.includes(ends[side]));
    const [tile] = tiles.splice(at, 1) as [[number, number]];
    ends = { ...ends, [side]: tile[0] === ends[side] ? tile[1] : tile[0] };
    plays.push(played(plays.length + 1, tile[0], tile[1], side === "left" ? "END_LEFT" : "END_RIGHT", ends));
  }
}

function played(turn: number, low: number, high: number, end: End, ends: { left: number; right: number }) {
  return { round: 1, turn, seat: (turn - 1) % 4, tile: { low, high }, end, ends };
}

const rounds = [0, 0.5, 1].flatMap((left) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => round(seed * 7919, left)),
);

/** The middles of a tile's halves, the inner one first. */
function halves({ x, y, degrees }: Placed): readonly [number, number][] {
  const angle = (degrees * Math.PI) / 180;
  return [-0.5, 0.5].map((along) => [x + along * Math.cos(angle), y + along * Math.sin(angle)]);
}

function armsOf(line: Line, plays: readonly TilePlayed[]): Placed[][] {
  const { first, left, right } = chainOf(plays);
  const of = (index: number): Placed => line.tiles.find(({ link }) => link.index === index) as Placed;
  return [left, right].map((arm) => [of(first?.index ?? 0), ...arm.map(({ index }) => of(index))]);
}

test("the chance rounds are long, to both sides", () => {
  assert.ok(rounds.some((plays) => plays.length > 24));
  assert.ok(rounds.some((plays) => plays.every(({ end }) => end !== "END_RIGHT")));
});

test("no tile covers another, nor the place of the next one, and none leaves the table", () => {
  for (const width of WIDTHS) {
    for (const plays of rounds) {
      const { tiles, ends } = layLine(chainOf(plays), width);
      assert.equal(tiles.length, plays.length);
      const spots = [...tiles, ...(ends === null ? [] : [ends.left, ends.right])];
      for (const [index, one] of spots.entries()) {
        assert.ok(Math.abs(one.x) + one.w / 2 <= width / 2 + 1e-9);
        for (const other of spots.slice(index + 1)) {
          const apartX = Math.abs(one.x - other.x) - (one.w + other.w) / 2;
          const apartY = Math.abs(one.y - other.y) - (one.h + other.h) / 2;
          assert.ok(Math.max(apartX, apartY) > -1e-9, `${JSON.stringify([one, other])}`);
        }
      }
    }
  }
});

test("each tile touches the one before it, the same number to the same number", () => {
  for (const width of WIDTHS) {
    for (const plays of rounds) {
      const [left, right] = armsOf(layLine(chainOf(plays), width), plays);
      for (const [side, arm] of [left, right].entries()) {
        arm?.slice(1).forEach((tile, index) => {
          const before = arm[index] as Placed;
          const open = index === 0 && side === 0 ? before.link.inner : before.link.outer;
          assert.equal(tile.link.inner, open);
          const isDouble = before.link.inner === before.link.outer || tile.link.inner === tile.link.outer;
          const [from] = [halves(before)[index === 0 && side === 0 ? 0 : 1]];
          const [to] = halves(tile);
          const apart = Math.hypot((from?.[0] ?? 0) - (to?.[0] ?? 0), (from?.[1] ?? 0) - (to?.[1] ?? 0));
          // Halves lie side by side; those of a double that lies across half a tile further out.
          assert.ok(apart <= (isDouble ? 1.6 : 1.001), `${apart}`);
        });
      }
    }
  }
});

test("a tile once laid never moves", () => {
  for (const plays of rounds) {
    const whole = layLine(chainOf(plays), 14.7).tiles;
    for (let count = 1; count < plays.length; count += 1) {
      for (const tile of layLine(chainOf(plays.slice(0, count)), 14.7).tiles) {
        assert.deepEqual(
          whole.find(({ link }) => link.index === tile.link.index),
          tile,
        );
      }
    }
  }
});

test("the next tile lies where the end was shown", () => {
  const plays = rounds[4] as TilePlayed[];
  for (let count = 1; count < plays.length; count += 1) {
    const before = layLine(chainOf(plays.slice(0, count)), 14.7).ends;
    const { tile, end } = plays[count] as TilePlayed;
    if (tile?.low === tile?.high) continue;
    const next = layLine(chainOf(plays.slice(0, count + 1)), 14.7).tiles.find(
      ({ link }) => link.index === count,
    );
    const shown = end === "END_LEFT" ? before?.left : before?.right;
    assert.deepEqual([next?.x, next?.y, next?.w], [shown?.x, shown?.y, shown?.w]);
  }
});

test("all of the line is in the frame, and a short one stands in its middle", () => {
  const short = layLine(chainOf(rounds[0]?.slice(0, 1) ?? []), 14.7);
  assert.deepEqual(frame(short, 10), { top: -5, height: 10 });
  for (const plays of rounds) {
    const line = layLine(chainOf(plays), 14.7);
    const { top, height } = frame(line, 8);
    for (const { y, h } of line.tiles) assert.ok(y - h / 2 >= top && y + h / 2 <= top + height);
    assert.ok(height < 16);
  }
});

test("a tile that fits both ends needs the choice, also when both show the same number", () => {
  const move = (end: End, high = 3) => ({
    move: { playTile: { round: 1, turn: 2, tile: { low: 2, high }, end } },
  });
  const moves = offered([move("END_LEFT"), move("END_RIGHT"), move("END_RIGHT", 4)]);
  assert.equal(needsEnd(moves.get("2-3")), true);
  assert.equal(onlyMove(moves.get("2-3")), undefined);
  assert.equal(onlyMove(moves.get("2-4"))?.playTile?.end, "END_RIGHT");
  const [first] = offered([move("END_UNSPECIFIED")]).values();
  assert.notEqual(onlyMove(first), undefined);
});

const open = { left: 6, right: 6 };
const plays = [played(1, 6, 6, "END_UNSPECIFIED", open), played(2, 2, 6, "END_RIGHT", { left: 6, right: 2 })];
const pass = { round: 1, turn: 3, seat: 2, nextSeat: 3 };

test("a pass is kept with what was open, until the seat plays again", () => {
  assert.deepEqual(passOf({ plays, passes: [pass] } as never, 2), { left: 6, right: 2 });
  const later = [...plays, { ...played(3, 2, 4, "END_RIGHT", { left: 6, right: 4 }), seat: 2 }];
  assert.equal(passOf({ plays: later, passes: [pass] } as never, 2), null);
  assert.deepEqual(
    deedsOf(plays, [pass]).map(({ seat, play }) => [seat, play?.turn]),
    [
      [0, 1],
      [1, 2],
      [2, undefined],
    ],
  );
});

test("passes and a round's end are each looked at, with nothing of the next deal", () => {
  const hands = [0, 1, 2, 3].map((seat) => ({ seat, count: 1, tiles: [] }));
  const before = { domino: { plays: plays.slice(0, 1), passes: [], hands, score: [0, 0] } as never as View };
  const events = [
    { tilePlayed: plays[1] },
    { seatPassed: pass },
    { roundEnded: { round: 1, ending: "ENDING_WENT_OUT", seat: 1, winnerSide: 1, points: 9, score: [0, 9] } },
    { roundDealt: { round: 2, starter: 1 } },
  ].map((domino, index) => ({ version: index, domino }));
  const shown = interludes(before as never as TableView, events as never);
  assert.deepEqual(
    shown.map(({ view }) => [view.domino?.plays.length, view.domino?.hands[1]?.count, view.domino?.score[1]]),
    [
      [2, 0, 0],
      [2, 0, 9],
    ],
  );
});

test("rounds are dealt again from the secret, seven tiles each", async () => {
  const draws = await Draws.of(fromHex("00".repeat(32)), "match", []);
  const tiles = await deal(draws, 1);
  assert.deepEqual(
    tiles.map((hand) => hand.length),
    [7, 7, 7, 7],
  );
  assert.deepEqual([...tiles.flat()].sort(), [...TILES].sort());
  const page = readFileSync(new URL("../../docs/fairness.md", import.meta.url), "utf8");
  for (const code of TILES) assert.ok(page.includes(code));
});
