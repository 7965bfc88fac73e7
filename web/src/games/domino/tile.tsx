// A tile's picture, drawn by us: it has no words of its own, who draws it names it.

const D = 0.26;
const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [
    [-D, -D],
    [D, D],
  ],
  3: [
    [-D, -D],
    [0, 0],
    [D, D],
  ],
  4: [
    [-D, -D],
    [-D, D],
    [D, -D],
    [D, D],
  ],
  5: [
    [-D, -D],
    [-D, D],
    [0, 0],
    [D, -D],
    [D, D],
  ],
  6: [
    [-D, -D],
    [-D, 0],
    [-D, D],
    [D, -D],
    [D, 0],
    [D, D],
  ],
};

interface TileShapeProps {
  readonly inner: number;
  readonly outer: number;
}

/** A tile 2 wide and 1 high round the origin, `inner` left. */
export function TileShape({ inner, outer }: TileShapeProps) {
  return (
    <>
      <rect class="tile-body" x="-0.97" y="-0.47" width="1.94" height="0.94" rx="0.13" />
      <path class="tile-bar" d="M0 -0.33V0.33" />
      <Half x={-0.49} number={inner} />
      <Half x={0.49} number={outer} />
    </>
  );
}

function Half({ x, number }: { x: number; number: number }) {
  return (
    <>
      {(PIPS[number] ?? []).map(([dx, dy]) => (
        <circle key={`${dx} ${dy}`} class="pip" cx={x + dx} cy={dy} r="0.105" />
      ))}
    </>
  );
}

/** An upright tile, the lower number above. */
export function UprightTile({ low, high }: { readonly low: number; readonly high: number }) {
  return (
    <svg class="tile" viewBox="-0.5 -1 1 2" aria-hidden="true" focusable="false">
      <g transform="rotate(90)">
        <TileShape inner={low} outer={high} />
      </g>
    </svg>
  );
}
