// Cards as this family's record writes them: rank, suit and pack, such as "7Eb"; the jokers are JKa to JKd.

import { type Card, cardCode } from "../../cards/cards.ts";

const RANKS = "A23456789TJQK";
const SUITS = "PCEO";
const PACKS = "abcd";

/** A card's code in the record. */
export function packedCode(card: Card): string {
  const code = cardCode(card);
  const pack = PACKS[card.pack] ?? "";
  return card.rank === "RANK_JOKER" ? `JK${pack}` : code.replace("10", "T") + pack;
}

/** A code of the record as the page draws it: without its pack. */
export function shownCode(packed: string): string {
  return packed.startsWith("JK") ? "★" : packed.slice(0, -1).replace("T", "10");
}

/** All the cards in the order in which they are shuffled (docs/fairness.md). */
export function pack(jokers: number): readonly string[] {
  const naturals = [..."ab"].flatMap((letter) =>
    [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit + letter)),
  );
  return [...naturals, ...[...PACKS].slice(0, jokers).map((letter) => `JK${letter}`)];
}
