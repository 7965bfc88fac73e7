// The line on the table, and the two places where it goes on.

import type { Signal } from "@preact/signals";
import { chainOf, frame, layLine, type Placed, type Spot } from "./line.ts";
import { type DominoTable, needsEnd, playAt } from "./table.ts";
import { TileShape } from "./tile.tsx";
import { dominoWords } from "./words/index.ts";

/** How many tiles' widths the line has across the table. */
const isWide = matchMedia("(min-width: 900px)").matches;
const WIDTH = isWide ? 20 : 15;
const LEAST_HEIGHT = isWide ? 10 : 9.5;
const MARGIN = 0.15;

interface LineViewProps {
  readonly table: DominoTable;
  readonly choice: Signal<string | null>;
}

export function LineView({ table, choice }: LineViewProps) {
  const { match, domino, chosen } = table;
  const line = layLine(chainOf(domino.plays), WIDTH - 2 * MARGIN);
  const { top, height } = frame(line, LEAST_HEIGHT);
  const last = domino.plays.length - 1;
  const moves = needsEnd(chosen?.plays) ? chosen?.plays : undefined;
  return (
    <section class="line" id="line" aria-label={dominoWords.value.board.line}>
      <p class="unseen">{inWords(table)}</p>
      <svg viewBox={`${-WIDTH / 2} ${top} ${WIDTH} ${height}`} aria-hidden="true" focusable="false">
        {line.tiles.map((placed) => (
          <LaidTile key={placed.link.index} placed={placed} isNewest={placed.link.index === last} />
        ))}
        {line.ends !== null && moves?.left !== undefined && moves.right !== undefined && (
          <>
            <EndSpot spot={line.ends.left} end="left" play={() => playAt(match, choice, moves.left ?? {})} />
            <EndSpot
              spot={line.ends.right}
              end="right"
              play={() => playAt(match, choice, moves.right ?? {})}
            />
          </>
        )}
      </svg>
    </section>
  );
}

function LaidTile({ placed, isNewest }: { placed: Placed; isNewest: boolean }) {
  const { x, y, degrees, link } = placed;
  return (
    <g class={isNewest ? "laid newest-tile" : "laid"} transform={`translate(${x} ${y}) rotate(${degrees})`}>
      <TileShape inner={link.inner} outer={link.outer} />
    </g>
  );
}

/** For fingers and mice; the buttons under the hand do the same. */
function EndSpot({ spot: { x, y, w, h }, end, play }: { spot: Spot; end: string; play: () => void }) {
  return (
    <g class="end-spot" data-end={end} onClick={play}>
      <rect x={x - w / 2 - 0.6} y={y - h / 2 - 0.6} width={w + 1.2} height={h + 1.2} class="end-reach" />
      <rect x={x - w / 2 + 0.06} y={y - h / 2 + 0.06} width={w - 0.12} height={h - 0.12} rx="0.15" />
    </g>
  );
}

function inWords({ domino }: DominoTable): string {
  const w = dominoWords.value.board;
  const { first, left, right } = chainOf(domino.plays);
  if (first === undefined || domino.ends === undefined) return w.empty;
  const tiles = [
    ...left.toReversed().map(({ inner, outer }) => w.tile(outer, inner)),
    ...[first, ...right].map(({ inner, outer }) => w.tile(inner, outer)),
  ];
  return w.lineIs(tiles.join(", "), domino.ends.left, domino.ends.right);
}
