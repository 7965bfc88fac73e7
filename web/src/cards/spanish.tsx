// The Spanish pack: only another face of the same cards (ruling R-01). 10, 11 and 12 are the Q, J and K of the French one.

import type { DrawingProps } from "./card.tsx";
import { SPANISH_NUMBERS, type SuitName } from "./cards.ts";
import { FrenchFace, Pip } from "./french.tsx";

/** Breaks of the frame's upper and lower edge, by which a hand of cards is read: none, one, two, three. */
const BREAKS: Readonly<Record<SuitName, number>> = { ouros: 0, copas: 1, espadas: 2, paus: 3 };

type Places = readonly (readonly [number, number])[];

const PLACES: Readonly<Record<string, Places>> = {
  1: [[50, 70]],
  2: [
    [50, 46],
    [50, 94],
  ],
  3: [
    [50, 38],
    [50, 70],
    [50, 102],
  ],
  4: pairs(48, 92),
  5: [...pairs(44, 96), [50, 70]],
  6: pairs(42, 70, 98),
  7: [...pairs(42, 70, 98), [50, 56]],
  8: [...pairs(42, 70, 98), [50, 56], [50, 84]],
  9: [...pairs(38, 60, 82, 104), [50, 71]],
};

export function SpanishFace({ letter, suit }: DrawingProps) {
  if (suit === null) return <FrenchFace letter={letter} suit={suit} />;
  const number = SPANISH_NUMBERS[letter] ?? letter;
  const places = PLACES[number];
  return (
    <>
      <Frame breaks={BREAKS[suit]} />
      <Number text={number} />
      <g transform="rotate(180 50 70)">
        <Number text={number} />
      </g>
      {places === undefined ? (
        <Figure number={number} suit={suit} />
      ) : (
        places.map(([x, y]) => (
          <Pip key={`${x} ${y}`} suit={suit} x={x} y={y} size={places.length === 1 ? 60 : 26} />
        ))
      )}
    </>
  );
}

function Number({ text }: { text: string }) {
  return (
    <text x="13" y="24" text-anchor="middle" class={text.length > 1 ? "rank narrow" : "rank"}>
      {text}
    </text>
  );
}

function Frame({ breaks }: { breaks: number }) {
  const gaps = Array.from({ length: breaks }, (_, index) => 50 + (index - (breaks - 1) / 2) * 14);
  return (
    <>
      <rect x="22" y="10" width="56" height="120" rx="4" class="frame" />
      {gaps.map((x) => (
        <g key={x}>
          <rect x={x - 3} y="8" width="6" height="4" class="gap" />
          <rect x={x - 3} y="128" width="6" height="4" class="gap" />
        </g>
      ))}
    </>
  );
}

/** Sota stands, cavalo rides, rei wears his crown: whole figures, as the Spanish pack has. */
function Figure({ number, suit }: { number: string; suit: SuitName }) {
  const isRider = number === "11";
  return (
    <g>
      {isRider && (
        <>
          <path
            d="M26 88c6-8 30-10 40-4l7-13c4 1 5 6 3 10l-6 11c2 8 1 16 0 24h-6l-1-17c-8 3-16 3-23 1l-4 16h-6l2-20c-4-2-6-5-6-8z"
            class="hair"
          />
          <path d="M44 82h14v10H44z" class="robe" />
        </>
      )}
      <path
        d={isRider ? "M40 90c0-20 3-27 10-27s10 7 10 27z" : "M34 118c1-36 5-52 16-52s15 16 16 52z"}
        class="robe"
      />
      {!isRider && <path d="M50 66v52" class="court-line" />}
      <circle cx="50" cy="53" r="9" class="skin" />
      <circle cx="46.8" cy="53" r="1" class="ink" />
      <circle cx="53.2" cy="53" r="1" class="ink" />
      {number === "12" ? (
        <path d="M40 47l-2-14 7 7 5-9 5 9 7-7-2 14z" class="crown" />
      ) : (
        <path d="M39 49c0-9 5-14 12-14s11 4 11 10c-6-3-15-2-23 4z" class="hair" />
      )}
      <use href={`#suit-${suit}`} x="25" y="20" width="20" height="20" />
    </g>
  );
}

function pairs(...heights: readonly number[]): Places {
  return heights.flatMap((y): Places => [
    [38, y],
    [62, y],
  ]);
}
