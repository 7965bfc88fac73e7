// Training tables, and the record of a finished match.

import { ask } from "./ask.ts";
import type { Commitment, Place, Practice, Record as MatchRecord } from "./generated/http.ts";

export type { MatchRecord };
export type RecordedEvent = MatchRecord["events"][number];

export interface TrainingWish {
  readonly command_id: string;
  readonly preset: string;
  readonly strength: string;
  readonly seats: number;
  readonly entropy: string;
}

/** What the server is bound to before it knows what we add to the shuffle, for the table that this key will open. */
export function practiceCommitment(token: string, key: string): Promise<Commitment> {
  return ask("GET", "/api/v1/practice/commitment", { token, key });
}

/** Opens a table with robots, in the usual form of the game. */
export function createPractice(token: string, key: string, game: string, entropy: string): Promise<Practice> {
  return ask("POST", "/api/v1/practice", { token, key, body: { game, entropy } });
}

/** A match against robots, as one wishes it. */
export function startTraining(token: string, wish: TrainingWish): Promise<Place> {
  return ask("POST", "/api/v1/training", { token, body: wish });
}

/** The whole record of a finished match (docs/record.md). */
export async function matchRecord(token: string, tableId: string): Promise<MatchRecord> {
  const path = `/api/v1/tables/${tableId}/record`;
  const first = await ask<MatchRecord>("GET", path, { token });
  const events: RecordedEvent[] = [...first.events];
  for (let next = first.next_after; next !== undefined;) {
    const page = await ask<MatchRecord>("GET", `${path}?after=${next}`, { token });
    events.push(...page.events);
    next = page.next_after;
  }
  return { ...first, events };
}
