// Who plays: kept over reloads, renewed half-way through the token's life, by one window of this browser at a time.

import { signal } from "@preact/signals";
import { createGuest, endSession, renewSession } from "../api/accounts.ts";
import { ApiError } from "../api/ask.ts";
import type { Session as Tokens } from "../api/generated/http.ts";
import { load, save } from "./storage.ts";

const EXPIRES_SOON_MS = 60000;
const SETTLED_AFTER_MS = 5000;
const RENEWED_JUST_NOW_MS = 10000;

export interface Session {
  readonly playerId: string;
  readonly name: string;
  /** Of this browser alone: the key of a renewal follows from it. */
  readonly secret: string;
  readonly token: string;
  readonly expiresAt: string;
  readonly refreshToken: string;
  readonly renewedAt: number;
  /** Missing in sessions of older pages. */
  readonly registeredAt?: number;
}

/** The player of this browser, or null. */
export const session = signal<Session | null>(load<Session>("session"));

/** The player; only where there must be one. */
export function mustSession(): Session {
  if (session.value === null) throw new Error("nobody is signed in");
  return session.value;
}

/** Registers a name. Raises ApiError; a taken name's facts suggest another one. */
export async function register(name: string): Promise<void> {
  const wish = load<{ name: string; key: string }>("guest");
  const key = wish?.name === name ? wish.key : crypto.randomUUID();
  save("guest", { name, key });
  const guest = await createGuest(name, key);
  save("guest", null);
  keep({
    playerId: guest.player_id,
    name: guest.name,
    secret: crypto.randomUUID(),
    registeredAt: Date.now(),
    ...tokensOf(guest),
  });
}

/** Waits until a new account has come to every part of the platform, as far as one can know; at once for older ones. */
export function isSettled(): Promise<void> {
  const age = Date.now() - (session.value?.registeredAt ?? 0);
  const leftMs = Math.min(SETTLED_AFTER_MS, Math.max(0, SETTLED_AFTER_MS - age));
  return new Promise((resolve) => setTimeout(resolve, leftMs));
}

/** Forgets who plays; `onServer` ends the session there too, as far as it can be reached. */
export function forget(onServer = false): void {
  // Gone already, or the tokens live out their hour.
  if (onServer && session.value !== null) endSession(session.value.token).catch(() => undefined);
  keep(null);
}

/** Whether the token ends so soon that it should be renewed before anything else. */
export function expiresSoon(): boolean {
  const now = session.value;
  return now !== null && now.refreshToken !== "" && Date.parse(now.expiresAt) - Date.now() < EXPIRES_SOON_MS;
}

/** Renews the session, unless another window of this browser just did: a refresh token works once. Raises ApiError. */
export function renew(): Promise<void> {
  return alone(renewHere);
}

/** Whether the session could be renewed just now, and was not a moment ago: that would go round and round. */
export async function couldRenew(): Promise<boolean> {
  const now = session.value;
  if (now === null || !now.refreshToken || Date.now() - (now.renewedAt ?? 0) < RENEWED_JUST_NOW_MS) {
    return false;
  }
  try {
    await renew();
    return true;
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    return false;
  }
}

async function renewHere(): Promise<void> {
  const now = mustSession();
  const stored = load<Session>("session");
  if (stored?.playerId === now.playerId && stored.token !== now.token) {
    session.value = stored;
    return;
  }
  const tokens = await renewSession(now.refreshToken, await renewalKey(now));
  keep({ ...now, ...tokensOf(tokens) });
}

function keep(next: Session | null): void {
  session.value = next;
  save("session", next);
}

function tokensOf(answer: Tokens): Pick<Session, "token" | "expiresAt" | "refreshToken" | "renewedAt"> {
  return {
    token: answer.token,
    expiresAt: answer.expires_at,
    refreshToken: answer.refresh_token,
    renewedAt: Date.now(),
  };
}

/**
 * The key of this renewal. It follows from the refresh token and a secret of this browser: after a reload, and in a
 * window that does not see yet what another one has stored, it is the same wish; from anywhere else it is a theft.
 */
async function renewalKey({ secret, refreshToken }: Session): Promise<string> {
  const text = new TextEncoder().encode(`${secret} ${refreshToken}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).slice(0, 16);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Runs work in one window of this browser at a time. */
function alone(work: () => Promise<void>): Promise<void> {
  return "locks" in navigator ? navigator.locks.request("carteado.session", work) : work();
}
