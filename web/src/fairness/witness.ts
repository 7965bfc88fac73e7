// What this browser itself saw of a match while it ran: kept here, so that the check needs nobody's word for it.

import type { TableUpdate } from "../api/generated/table.ts";
import { load, save } from "../session/storage.ts";
import { hexOf } from "./bytes.ts";

const MOST_TABLES = 12;

/** What was seen; what was not is missing. Hex throughout. */
export interface Seen {
  /** The commitment that was promised before this browser sent its part of the shuffle. */
  promised?: string;
  /** That part. */
  added?: string;
  commitment?: string;
  entropy?: string[];
  seat?: number;
  /** What the game keeps of its deals. */
  hands: unknown;
}

/** Keeps what an update shows of the deals; gives them back. */
export type SeeDeals = (known: unknown, update: TableUpdate) => unknown;

/** What was seen of a table. */
export function seenOf(tableId: string): Seen {
  return load<Seen>(nameOf(tableId)) ?? { hands: {} };
}

/** Keeps what was there before the table was: the promised commitment (hex) and what we added to the shuffle (base64). */
export function keepPromise(tableId: string, commitment: string, added: string): void {
  keep(tableId, { ...seenOf(tableId), promised: commitment, added: hexOf(added) });
}

/** Keeps what an update of a running match shows; what is shown after the end proves nothing. */
export function keepUpdate(update: TableUpdate, see: SeeDeals): void {
  const { tableId, view } = update;
  if (view === undefined) return;
  const seen = seenOf(tableId);
  if (view.status === "TABLE_STATUS_PLAYING") {
    seen.commitment ??= hexOf(view.commitment);
    seen.entropy ??= view.entropy.map(hexOf);
    if (view.yourSeat !== undefined) seen.seat = view.yourSeat;
  }
  seen.hands = see(seen.hands, update);
  keep(tableId, seen);
}

function keep(tableId: string, seen: Seen): void {
  save(nameOf(tableId), seen);
  const tables = (load<string[]>("witnesses") ?? []).filter((one) => one !== tableId);
  for (const old of tables.splice(MOST_TABLES - 1)) save(nameOf(old), null);
  save("witnesses", [tableId, ...tables]);
}

function nameOf(tableId: string): string {
  return `witness.${tableId}`;
}
