// Who plays, at which table, and what to do when either is gone. The screens read these signals and call these functions.

import { effect, signal } from "@preact/signals";
import { ApiError } from "../api/ask.ts";
import type { Welcome } from "../api/generated/gateway.ts";
import type { TableView } from "../api/generated/table.ts";
import { createPractice, practiceCommitment } from "../api/matches.ts";
import { instant } from "../connection/clock.ts";
import { Connection, type LastWords, type Listener } from "../connection/connection.ts";
import { newEntropy } from "../fairness/bytes.ts";
import { keepPromise } from "../fairness/witness.ts";
import { textOf, words } from "../i18n/index.ts";
import { Match } from "../play/match.ts";
import { isWithRobots, train, trainingOf } from "../play/training.ts";
import {
  couldRenew,
  expiresSoon,
  forget,
  mustSession,
  register,
  renew,
  session,
} from "../session/session.ts";
import { load, save } from "../session/storage.ts";

const RENEW_RETRY_MS = 60000;
const MOST_TIMER_MS = 2 ** 31 - 1;
const EXPIRED = new Set(["SESSION_EXPIRED", "SIGN_IN_REQUIRED"]);
const ROOMS_HASH = "#salas";
const TABLE_HASH = /^#mesa=([0-9a-f-]{36})$/;
const QUICK_GAME = "truco-paulista";

export type Screen = "welcome" | "rooms" | "table";
export type Dialog = "leave" | "result" | "check" | "settings";

/** Null until it is known where to begin. */
export const screen = signal<Screen | null>(null);
export const match = signal<Match | null>(null);
/** The open dialogs, the one in front last. */
export const dialogs = signal<readonly Dialog[]>([]);
/** What stands above everything: a lost connection. */
export const note = signal<string | null>(null);
/** Why one is at the start again. */
export const welcomeError = signal("");

let connection: Connection | null = null;
let renewal: ReturnType<typeof setTimeout> | undefined;

/** Begins: who comes back after the token's hour is let in by the refresh token. */
export async function begin(): Promise<void> {
  addEventListener("hashchange", enter);
  if (expiresSoon()) {
    try {
      await renew();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (failure.status === 401 || failure.status === 403) {
        signOut(failure.message);
        return;
      }
    }
  }
  enter();
}

/** Shows a dialog in front of what there is. */
export function open(dialog: Dialog): void {
  if (!dialogs.value.includes(dialog)) dialogs.value = [...dialogs.value, dialog];
}

/** Takes a dialog away. */
export function close(dialog: Dialog): void {
  if (dialogs.value.includes(dialog)) dialogs.value = dialogs.value.filter((one) => one !== dialog);
}

/** Goes where the address says: to a table, to the rooms, or to the start. */
function enter(): void {
  const tableId = TABLE_HASH.exec(location.hash)?.[1] ?? load<string>("table");
  if (session.value !== null && location.hash === ROOMS_HASH) toRooms();
  else if (session.value !== null && tableId !== null) join(tableId);
  else toWelcome();
}

/** Registers the name that was picked. Raises ApiError; `suggest` hears of a free name like it. */
export async function signIn(name: string, suggest: (free: string) => void): Promise<void> {
  try {
    await register(name);
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    const suggestion = failure.facts["suggestion"];
    if (suggestion === undefined) throw failure;
    suggest(suggestion);
    const text = words.value.session.suggestion(failure.message, suggestion);
    throw new ApiError(failure.code, text, failure.status);
  }
}

/** Leaves the account on every window, and on the server. */
export function leaveAccount(): void {
  signOut("", true);
}

/** The session is over: says so at the start. */
export function sessionOver(): void {
  signOut(words.value.session.over);
}

function signOut(why = "", onServer = false): void {
  connection?.close();
  connection = null;
  clearTimeout(renewal);
  forget(onServer);
  toWelcome(why);
}

interface PracticeWish {
  readonly key: string;
  readonly entropy: string;
  promised?: string;
}

/** Sits down with robots at once. Who is at a table or in a queue already is taken there. Raises ApiError. */
export async function quickTable(): Promise<void> {
  const wish = load<PracticeWish>("practice") ?? { key: crypto.randomUUID(), entropy: newEntropy() };
  save("practice", wish);
  try {
    const { token } = mustSession();
    // In this order: the server is bound before it knows what we add.
    wish.promised ??= (await practiceCommitment(token, wish.key)).commitment;
    save("practice", wish);
    const { table_id: tableId } = await createPractice(token, wish.key, QUICK_GAME, wish.entropy);
    keepPromise(tableId, wish.promised, wish.entropy);
    save("practice", null);
    join(tableId);
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (!failure.mayPass) save("practice", null);
    const { place, table_id: tableId } = failure.facts;
    if (place === "playing" && tableId !== undefined) join(tableId);
    else if (place !== undefined) toRooms();
    else if (failure.status === 401) sessionOver();
    else throw failure;
  }
}

/** The same kind of table once more: a training like this one, or the rooms where people played. Raises ApiError. */
export async function again(view: TableView | null): Promise<void> {
  const training = view === null ? null : trainingOf(view);
  if (training !== null) {
    const place = await train(training);
    if (place.kind === "playing" && place.table_id !== null) join(place.table_id);
    else toRooms();
  } else if (view === null || isWithRobots(view)) await quickTable();
  else toRooms();
}

/** Shows the rooms; who waits for a table is taken there once it is ready. */
export function toRooms(): void {
  leaveTable();
  history.replaceState(null, "", ROOMS_HASH);
  screen.value = "rooms";
}

/** Shows the start, and why one is there. */
export function toWelcome(why = ""): void {
  leaveTable();
  save("table", null);
  history.replaceState(null, "", location.pathname);
  welcomeError.value = why;
  screen.value = "welcome";
}

/** Shows a table and follows it. */
export function join(tableId: string): void {
  if (match.value?.tableId === tableId) return;
  leaveTable();
  save("table", tableId);
  history.replaceState(null, "", `#mesa=${tableId}`);
  connection ??= new Connection(mustSession().token, listener);
  const next = new Match({
    tableId,
    session,
    connection,
    onEnd: showResult,
    onLeft: () => toWelcome(),
  });
  match.value = next;
  screen.value = "table";
  next.start();
}

/** Asks before a match is left; who only watches, is absent, or whose match is over just goes. */
export function askToLeave(): void {
  if (match.value === null || match.value.isOver.value || !match.value.hasSeat) toWelcome();
  else open("leave");
}

/** Leaves the match on purpose. */
export function leave(): void {
  close("leave");
  if (match.value?.leave() !== true) toWelcome();
}

function leaveTable(): void {
  match.value?.stop();
  match.value = null;
  dialogs.value = [];
}

function showResult(): void {
  save("table", null);
  close("leave");
  open("result");
}

const listener: Listener = {
  connected(welcome) {
    note.value = null;
    scheduleRenewal(welcome);
    match.value?.connected(welcome.serverTime ?? "");
  },
  disconnected(retryInMs) {
    note.value = words.value.connection.lost(Math.max(1, Math.round(retryInMs / 1000)));
    match.value?.disconnected();
  },
  signedOut(last) {
    void signedOut(last);
  },
  updated(update) {
    if (update.tableId === match.value?.tableId) match.value.update(update);
  },
  detached(code) {
    const w = words.value.table;
    toWelcome(code === "TABLE_NOT_FOUND" ? w.gone : w.notEntered);
  },
  answered(commandId, outcome) {
    match.value?.answered(commandId, outcome);
  },
  failed(commandId, error) {
    match.value?.failed(commandId, error);
  },
};

async function signedOut(last: LastWords): Promise<void> {
  note.value = null;
  // A token that ended while this device slept is no reason to lose the player.
  if (EXPIRED.has(last.code) && (await couldRenew())) location.reload();
  else signOut(last.code === "PLAYER_BANNED" ? textOf(last) : words.value.session.over);
}

/** Renews the token half-way through its life, by the server's clock. */
function scheduleRenewal({ serverTime = "", tokenExpiresAt = "" }: Welcome): void {
  const leftMs = instant(tokenExpiresAt) - instant(serverTime);
  renewAfter(Math.min(Math.max(leftMs / 2, 1000), MOST_TIMER_MS));
}

function renewAfter(ms: number): void {
  clearTimeout(renewal);
  renewal = setTimeout(() => void renewNow(), ms);
}

async function renewNow(): Promise<void> {
  try {
    await renew();
    connection?.renew(mustSession().token);
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (failure.status !== 401) renewAfter(RENEW_RETRY_MS);
  }
}

// A dialog that belongs to a table goes with it.
effect(() => {
  if (match.value === null) dialogs.value = dialogs.peek().filter((one) => one === "settings");
});
