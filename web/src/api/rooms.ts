// Rooms, access and the Liga. Each wish carries its command_id, so that asking again never does it twice.

import { ask } from "./ask.ts";
import type {
  Access,
  Account,
  LeagueStanding,
  LeagueTable,
  OpenTable,
  OpenTables,
  Place,
  Rooms,
  Wish,
} from "./generated/http.ts";

const WAIT_MS = 20000;
const WAIT_TIMEOUT_MS = 30000;

export type GameOffer = Rooms["games"][number];
export type Room = GameOffer["rooms"][number];
export type LeagueRow = LeagueTable["rows"][number];
export type { Access, Account, LeagueStanding, LeagueTable, OpenTable, Place, Wish };

/** Every game that is played here. */
export async function listGames(token: string): Promise<readonly GameOffer[]> {
  return (await ask<Rooms>("GET", "/api/v1/rooms", { token })).games;
}

/** Open tables of a game, the fullest first. */
export async function listTables(token: string, preset: string): Promise<readonly OpenTable[]> {
  const path = `/api/v1/open-tables?preset=${encodeURIComponent(preset)}`;
  return (await ask<OpenTables>("GET", path, { token })).tables;
}

/** Where the player is now. */
export function getPlace(token: string): Promise<Place> {
  return ask("GET", "/api/v1/me/place", { token });
}

/** Where the player is, once that is no longer what is known, or after a while. */
export function nextPlace(token: string, knownVersion: number, signal: AbortSignal): Promise<Place> {
  const path = `/api/v1/me/place?known_version=${knownVersion}&wait_ms=${WAIT_MS}`;
  return ask("GET", path, { token, signal, timeoutMs: WAIT_TIMEOUT_MS });
}

/** Any table of a game in the Sala Livre. */
export function quickPlay(token: string, wish: Wish): Promise<Place> {
  return ask("POST", "/api/v1/quick-play", { token, body: wish });
}

/** A table of one's own in the Sala Livre. */
export function openTable(token: string, wish: Wish, seats: number): Promise<Place> {
  return ask("POST", "/api/v1/open-tables", { token, body: { ...wish, seats } });
}

/** A seat at an open table. */
export function sitDown(token: string, tableId: string, wish: Wish, seat: number): Promise<Place> {
  const { command_id, entropy } = wish;
  return ask("POST", `/api/v1/open-tables/${tableId}/sit`, { token, body: { command_id, entropy, seat } });
}

/** Gives the seat back. */
export function standUp(token: string, tableId: string, commandId: string): Promise<Place> {
  return ask("POST", `/api/v1/open-tables/${tableId}/stand`, { token, body: { command_id: commandId } });
}

/** The queue of the Sala Ranqueada. */
export function joinQueue(token: string, wish: Wish): Promise<Place> {
  return ask("POST", "/api/v1/queue", { token, body: wish });
}

/** Out of the queue. */
export function leaveQueue(token: string, commandId: string): Promise<Place> {
  return ask("DELETE", `/api/v1/queue?command_id=${commandId}`, { token });
}

/** Whether the player may play a game in a room, and why. */
export function getAccess(token: string, preset: string, room: Room): Promise<Access> {
  return ask("GET", `/api/v1/access?preset=${encodeURIComponent(preset)}&room=${room}`, { token });
}

/** The player's trial, passport and matches of the day. */
export function getAccount(token: string): Promise<Account> {
  return ask("GET", "/api/v1/passport", { token });
}

/** The first rows of the player's league in this week. */
export function getLeague(token: string, game: string): Promise<LeagueTable> {
  return ask("GET", `/api/v1/league/${encodeURIComponent(game)}`, { token });
}

/** Where the player stands, and who is around. */
export function getStanding(token: string, game: string): Promise<LeagueStanding> {
  return ask("GET", `/api/v1/league/${encodeURIComponent(game)}/me`, { token });
}
