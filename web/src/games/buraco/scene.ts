// Where to stop on the way from one view to the next: a deal that ended, before the next one is dealt.

import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Interlude } from "../game.ts";

const DEAL_PAUSE_MS = 4500;

export function interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[] {
  if (before.buraco === undefined || events.some(({ buraco }) => buraco?.matchEnded)) return [];
  const event = events.find(({ buraco }) => buraco?.dealEnded);
  if (event?.buraco?.dealEnded === undefined) return [];
  const { score, sides } = event.buraco.dealEnded;
  const { clock: _, ...rest } = before;
  const { legal: __, ...still } = before.buraco;
  return [{ view: { ...rest, buraco: { ...still, score, scored: sides } }, event, pauseMs: DEAL_PAUSE_MS }];
}
