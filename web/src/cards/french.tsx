// The French pack: pips where they have always been, and courts with a figure of our own.

import type { DrawingProps } from "./card.tsx";
import type { SuitName } from "./cards.ts";

const LEFT = 36;
const MIDDLE = 50;
const RIGHT = 64;

type Places = readonly (readonly [number, number])[];

const PIPS: Readonly<Record<string, Places>> = {
  A: [[MIDDLE, 70]],
  2: [
    [MIDDLE, 38],
    [MIDDLE, 102],
  ],
  3: [
    [MIDDLE, 36],
    [MIDDLE, 70],
    [MIDDLE, 104],
  ],
  4: pairs(42, 98),
  5: [...pairs(40, 100), [MIDDLE, 70]],
  6: pairs(38, 70, 102),
  7: [...pairs(38, 70, 102), [MIDDLE, 54]],
  8: [...pairs(38, 70, 102), [MIDDLE, 54], [MIDDLE, 86]],
  9: [...pairs(34, 58, 82, 106), [MIDDLE, 70]],
  10: [...pairs(34, 58, 82, 106), [MIDDLE, 46], [MIDDLE, 94]],
};

export function FrenchFace({ letter, suit }: DrawingProps) {
  if (suit === null) return <Joker />;
  const pips = PIPS[letter];
  return (
    <>
      <Corner letter={letter} suit={suit} />
      <g transform="rotate(180 50 70)">
        <Corner letter={letter} suit={suit} />
      </g>
      {pips === undefined ? (
        <Court letter={letter} suit={suit} />
      ) : (
        pips.map(([x, y]) => (
          <Pip key={`${x} ${y}`} suit={suit} x={x} y={y} size={pips.length === 1 ? 46 : 19} />
        ))
      )}
    </>
  );
}

/** A suit's sign, upside down in the lower half. */
export function Pip({ suit, x, y, size }: { suit: SuitName; x: number; y: number; size: number }) {
  const sign = <use href={`#suit-${suit}`} x={x - size / 2} y={y - size / 2} width={size} height={size} />;
  return y > 70 ? <g transform={`rotate(180 ${x} ${y})`}>{sign}</g> : sign;
}

function Corner({ letter, suit }: { letter: string; suit: SuitName }) {
  return (
    <g>
      <text x="14" y="28" text-anchor="middle" class={letter.length > 1 ? "rank narrow" : "rank"}>
        {letter}
      </text>
      <use href={`#suit-${suit}`} x="6" y="33" width="16" height="16" />
    </g>
  );
}

/** A half figure and its mirror image, as courts have: head, crown or cap, and a robe in the suit's colour. */
function Court({ letter, suit }: { letter: string; suit: SuitName }) {
  return (
    <>
      <rect x="25" y="18" width="50" height="104" rx="5" class="court" />
      <Figure letter={letter} suit={suit} />
      <g transform="rotate(180 50 70)">
        <Figure letter={letter} suit={suit} />
      </g>
      <path d="M25 70h50" class="court-line" />
    </>
  );
}

function Figure({ letter, suit }: { letter: string; suit: SuitName }) {
  return (
    <g>
      <path d="M29 70c1-13 8-19 21-19s20 6 21 19z" class="robe" />
      <path d="M43 51l7 11 7-11z" class="collar" />
      <path d="M50 62v8" class="court-line" />
      <circle cx="50" cy="42" r="9.5" class="skin" />
      {letter === "K" && (
        <>
          <path d="M41 45c1 9 5 12 9 12s8-3 9-12c-3 3-6 4-9 4s-6-1-9-4z" class="hair" />
          <path d="M39 35l-2-13 7 6 6-9 6 9 7-6-2 13z" class="crown" />
        </>
      )}
      {letter === "Q" && (
        <>
          <path
            d="M39 54c-5-16 0-24 11-24s16 8 11 24c-2-4-2-7-2-12-3-4-6-5-9-5s-6 1-9 5c0 5 0 8-2 12z"
            class="hair"
          />
          <path d="M41 32c1-7 4-7 5-3 1-6 7-6 8 0 1-4 4-4 5 3z" class="crown" />
        </>
      )}
      {letter === "J" && (
        <>
          <path d="M39 46c-1-4 0-8 2-10h18c2 2 3 6 2 10-2-2-2-5-3-6H42c-1 1-1 4-3 6z" class="hair" />
          <path d="M38 36c2-11 12-15 25-11-2 4-1 7 0 11z" class="robe" />
          <path d="M63 25c5-4 8-2 8 3-4-1-6 0-8 2z" class="crown" />
        </>
      )}
      <circle cx="46.5" cy="42" r="1.1" class="ink" />
      <circle cx="53.5" cy="42" r="1.1" class="ink" />
      <use href={`#suit-${suit}`} x="27.5" y="21" width="11" height="11" />
    </g>
  );
}

function Joker() {
  return (
    <>
      <text x="14" y="28" text-anchor="middle" class="rank">
        ★
      </text>
      <g transform="rotate(180 50 70)">
        <text x="14" y="28" text-anchor="middle" class="rank">
          ★
        </text>
      </g>
      <use href="#star" x="25" y="45" width="50" height="50" />
    </>
  );
}

function pairs(...heights: readonly number[]): Places {
  return heights.flatMap((y): Places => [
    [LEFT, y],
    [RIGHT, y],
  ]);
}
