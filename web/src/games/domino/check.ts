// Dominó's deals, made again from docs/fairness.md, and compared with the record and with what was seen.

import type { MatchRecord } from "../../api/matches.ts";
import type { Deals } from "../../fairness/check.ts";
import type { Draws } from "../../fairness/draws.ts";
import { allRight, type DealReport, holds, dealsInOrder, matches } from "../../fairness/report.ts";
import type { SeenRound, SeenRounds } from "./deals.ts";
import { dominoWords } from "./words/index.ts";

const SEATS = 4;
const TILES_PER_SEAT = 7;
const FIRST = "6-6";

/** The twenty-eight tiles in the order in which they are shuffled. */
export const TILES = [..."0123456"].flatMap((low) =>
  [..."0123456"].filter((high) => high >= low).map((high) => `${low}-${high}`),
);

interface Published {
  readonly round: number;
  readonly starter: number;
  readonly tiles: readonly (readonly string[])[];
}

interface PlayedTile {
  readonly seat: number;
  readonly tile: string;
}

interface Round {
  readonly number: number;
  readonly published: Published;
  /** By seat, the tiles that the secret gives. */
  readonly dealt: readonly (readonly string[])[];
  /** Who has to open it. */
  readonly starter: number;
  readonly played: PlayedTile[];
}

/** Deals every round of the record again. */
export async function checkDeals(
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
): Promise<Deals> {
  const w = dominoWords.value.check;
  const rounds = await dealtAgain(record, draws);
  const seenRounds = seen as SeenRounds;
  return {
    reports: rounds.map((round) => report(round, seenRounds[round.number], who)),
    points: dealsInOrder(
      w,
      rounds.map(({ published }) => published.round),
      seenRounds,
    ),
  };
}

async function dealtAgain(record: MatchRecord, draws: Draws): Promise<Round[]> {
  const rounds: Round[] = [];
  let starter: number | undefined;
  for (const { type, payload } of record.events) {
    if (type === "domino.round_dealt") {
      const number = rounds.length + 1;
      const dealt = await deal(draws, number);
      starter ??= dealt.findIndex((tiles) => tiles.includes(FIRST));
      rounds.push({ number, published: payload as unknown as Published, dealt, starter, played: [] });
    } else if (type === "domino.tile_played") {
      rounds.at(-1)?.played.push(payload as unknown as PlayedTile);
    } else if (type === "domino.round_ended") {
      starter = nextStarter(payload as unknown as Ended, rounds.at(-1)?.played ?? []);
    }
  }
  return rounds;
}

interface Ended {
  readonly ending: string;
  readonly seat: number;
  readonly winner_side: number;
}

/** Who went out; after a block, who of the winning pair played last. */
function nextStarter({ ending, seat, winner_side: side }: Ended, played: readonly PlayedTile[]): number {
  if (ending === "went_out") return seat;
  return played.findLast((one) => one.seat % 2 === side)?.seat ?? seat;
}

/** Round `round` (from 1): the tiles by seat and place. */
export async function deal(draws: Draws, round: number): Promise<readonly (readonly string[])[]> {
  const tiles = await draws.shuffled(`round-${round}`, TILES);
  return Array.from({ length: SEATS }, (_, seat) =>
    tiles.slice(seat * TILES_PER_SEAT, (seat + 1) * TILES_PER_SEAT),
  );
}

function report(
  { number, published, dealt, starter, played }: Round,
  seen: SeenRound = { tiles: {}, plays: {} },
  who: (seat: number) => string,
): DealReport {
  const { check: w, ordinal } = dominoWords.value;
  const isOf = ([tile, seat]: readonly [string, number]): boolean => dealt[seat]?.includes(tile) === true;
  return {
    title: w.round(ordinal(number)),
    intro: w.startedBy(who(starter)),
    rows: dealt.map((codes, seat) => ({ name: who(seat), codes })),
    points: [
      holds(w.tiles, dealt.join() === published.tiles.join()),
      holds(w.starter, starter === published.starter),
      matches(w.seenStarter, starter, seen.starter),
      allRight(w.seenHand, Object.entries(seen.tiles), isOf),
      allRight(w.seenPlays, Object.entries(seen.plays), isOf),
      holds(w.plays, werePlayedFairly(dealt, played)),
    ],
  };
}

function werePlayedFairly(dealt: Round["dealt"], played: readonly PlayedTile[]): boolean {
  const held = dealt.map((tiles) => new Set(tiles));
  return played.every(({ seat, tile }) => held[seat]?.delete(tile) === true);
}
