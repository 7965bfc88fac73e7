// Who plays: guests, sessions, names.

import { ask } from "./ask.ts";
import type { Guest, Players, Session } from "./generated/http.ts";

/** Registers a guest. */
export function createGuest(name: string, key: string): Promise<Guest> {
  return ask("POST", "/api/v1/guests", { key, body: { name } });
}

/** A new token for a refresh token, which works once; the same key gets the same answer. */
export function renewSession(refreshToken: string, key: string): Promise<Session> {
  return ask("POST", "/api/v1/session/renew", { key, body: { refresh_token: refreshToken } });
}

/** Ends the session of this token. */
export function endSession(token: string): Promise<unknown> {
  return ask("DELETE", "/api/v1/session", { token });
}

/** Names by player id. */
export async function playerNames(
  token: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { players } = await ask<Players>("GET", `/api/v1/players?ids=${ids.join(",")}`, { token });
  return new Map(players.map((player) => [player.player_id, player.name]));
}
