// The HTTP calls of rooms, access and the Liga. Each wish carries its command_id, so that asking again never does it twice.

import { ask } from "./api.js";

const WAIT_MS = 20000;
const WAIT_TIMEOUT_MS = 30000;

/** Every game: {preset, player_counts, rooms, strengths}. */
export async function listGames(token) {
  return (await ask("GET", "/api/v1/rooms", { token })).games;
}

/** Open tables of a game, the fullest first. */
export async function listTables(token, preset) {
  return (await ask("GET", `/api/v1/open-tables?preset=${encodeURIComponent(preset)}`, { token })).tables;
}

/** Where the player is; with a known version, once that has changed or after a while. */
export function getPlace(token, knownVersion, signal) {
  if (knownVersion === null) return ask("GET", "/api/v1/me/place", { token, signal });
  const path = `/api/v1/me/place?known_version=${knownVersion}&wait_ms=${WAIT_MS}`;
  return ask("GET", path, { token, signal, timeoutMs: WAIT_TIMEOUT_MS });
}

/** Any table of a game in the Sala Livre. */
export function quickPlay(token, wish) {
  return ask("POST", "/api/v1/quick-play", { token, body: wish });
}

/** A table of one's own in the Sala Livre. */
export function openTable(token, wish) {
  return ask("POST", "/api/v1/open-tables", { token, body: wish });
}

/** A seat at an open table. */
export function sitDown(token, tableId, wish) {
  return ask("POST", `/api/v1/open-tables/${tableId}/sit`, { token, body: wish });
}

/** Gives the seat back. */
export function standUp(token, tableId, commandId) {
  return ask("POST", `/api/v1/open-tables/${tableId}/stand`, { token, body: { command_id: commandId } });
}

/** The queue of the Sala Ranqueada. */
export function joinQueue(token, wish) {
  return ask("POST", "/api/v1/queue", { token, body: wish });
}

/** Out of the queue. */
export function leaveQueue(token, commandId) {
  return ask("DELETE", `/api/v1/queue?command_id=${commandId}`, { token });
}

/** A match against robots. */
export function startTraining(token, wish) {
  return ask("POST", "/api/v1/training", { token, body: wish });
}

/** Whether the player may play a game in a room, and why: {is_allowed, text, valid_until, matches_left}. */
export function getAccess(token, preset, room) {
  return ask("GET", `/api/v1/access?preset=${encodeURIComponent(preset)}&room=${room}`, { token });
}

/** The player's trial, passport and matches of the day. */
export function getAccount(token) {
  return ask("GET", "/api/v1/passport", { token });
}

/** The first rows of the player's league in this week. */
export function getLeague(token, game) {
  return ask("GET", `/api/v1/league/${encodeURIComponent(game)}`, { token });
}

/** Where the player stands, and who is around. */
export function getStanding(token, game) {
  return ask("GET", `/api/v1/league/${encodeURIComponent(game)}/me`, { token });
}
