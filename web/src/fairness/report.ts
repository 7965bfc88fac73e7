// What a check says: points that hold, do not hold, or had nothing to be compared with.

export type PointState = "ok" | "wrong" | "unseen";

export interface Point {
  readonly text: string;
  readonly state: PointState;
}

/** One deal, as the secret gives it, and what was compared. */
export interface DealReport {
  readonly title: string;
  readonly intro: string;
  readonly rows: readonly { readonly name: string; readonly codes: readonly string[] }[];
  readonly points: readonly Point[];
}

/** Whether something is so. */
export function holds(text: string, isSo: boolean): Point {
  return { text, state: isSo ? "ok" : "wrong" };
}

/** Whether a value is the one that was seen, if it was. */
export function matches<Value>(text: string, value: Value, seen: Value | undefined): Point {
  if (seen === undefined) return { text, state: "unseen" };
  return holds(text, value === seen);
}

/** Whether each thing that was seen is right. */
export function allRight<Thing>(
  text: string,
  things: readonly Thing[],
  isRight: (thing: Thing) => boolean,
): Point {
  if (things.length === 0) return { text, state: "unseen" };
  return holds(`${text} (${things.length})`, things.every(isRight));
}

/** Whether the record has a match's deals in their order, from 1, and each that was seen; `seen` has them by number. */
export function dealsInOrder(
  words: { readonly order: string; readonly allSeen: string },
  published: readonly number[],
  seen: object,
): readonly Point[] {
  return [
    holds(
      words.order,
      published.every((number, index) => number === index + 1),
    ),
    holds(
      words.allSeen,
      Object.keys(seen).every((number) => Number(number) <= published.length),
    ),
  ];
}

/** Whether nothing is wrong. */
export function isRight(points: readonly Point[]): boolean {
  return points.every(({ state }) => state !== "wrong");
}
