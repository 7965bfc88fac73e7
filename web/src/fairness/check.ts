// Whether a finished match was fair: what was promised, listed and added, and then every deal, made again here.

import type { MatchRecord } from "../api/matches.ts";
import type { Words } from "../i18n/index.ts";
import { fromHex, sha256 } from "./bytes.ts";
import { Draws } from "./draws.ts";
import { type DealReport, type Point, holds, isRight, matches } from "./report.ts";
import type { Seen } from "./witness.ts";

export interface Deals {
  readonly reports: readonly DealReport[];
  /** What holds for all of them together. */
  readonly points: readonly Point[];
}

/** A game's own part: makes each deal of the record again. `who(seat)` names a seat. */
export type CheckDeals = (
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
) => Promise<Deals>;

export interface Report {
  readonly isFair: boolean;
  /** Whether this browser saw the match while it ran. */
  readonly wasWatched: boolean;
  readonly match: readonly Point[];
  readonly deals: readonly DealReport[];
  readonly secret: string;
  readonly commitment: string;
  readonly entropy: readonly string[];
}

interface Opened {
  readonly table_id: string;
  readonly commitment: string;
  readonly entropy: readonly string[];
}

/** Checks a match's record (docs/record.md) against the secret, and against what this browser saw while it ran. */
export async function check(
  record: MatchRecord,
  seen: Seen,
  checkDeals: CheckDeals,
  who: (seat: number) => string,
  words: Words,
): Promise<Report> {
  const w = words.check.points;
  const opened = record.events[0]?.payload as unknown as Opened;
  const { secret } = record.events.at(-1)?.payload as unknown as { secret: string };
  const draws = await Draws.of(fromHex(secret), record.table_id, opened.entropy.map(fromHex));
  const deals = await checkDeals(record, draws, seen.hands, who);
  const mySeat = seen.seat ?? record.your_seat;
  const match = [
    holds(w.secret, (await sha256(fromHex(secret))) === opened.commitment),
    matches(w.commitment, opened.commitment, seen.commitment),
    matches(w.promised, opened.commitment, seen.promised),
    matches(w.entropy, opened.entropy.join(), seen.entropy?.join()),
    matches(w.added, mySeat === undefined ? undefined : opened.entropy[mySeat], seen.added),
    holds(w.table, record.table_id === opened.table_id),
    ...deals.points,
  ];
  return {
    isFair: isRight([...match, ...deals.reports.flatMap((deal) => deal.points)]),
    wasWatched: seen.commitment !== undefined,
    match,
    deals: deals.reports,
    secret,
    commitment: opened.commitment,
    entropy: opened.entropy,
  };
}
