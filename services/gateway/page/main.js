// Starts the page: who plays, at which table, and what to do when either is gone.

import { ApiError, createGuest, createPractice, endSession, practiceCommitment, renewSession } from "./api.js";
import { face } from "./cards.js";
import { showCheck } from "./check_screen.js";
import { Connection } from "./connection.js";
import { byId } from "./dom.js";
import { Game } from "./game.js";
import { Rooms } from "./rooms.js";
import { load, save } from "./storage.js";
import { Witness } from "./witness.js";

const RENEW_RETRY_MS = 60000;
const EXPIRES_SOON_MS = 60000;
const RENEWED_JUST_NOW_MS = 10000;
const EXPIRED = new Set(["SESSION_EXPIRED", "SIGN_IN_REQUIRED"]);
const ROOMS_HASH = "#salas";
const HASH = /^#mesa=([0-9a-f-]{36})$/;

let session = load("session");
let connection = null;
let game = null;
let renewal = null;
let rooms = null;

function start() {
  byId("fan").append(
    face({ rank: "RANK_FOUR", suit: "SUIT_PAUS" }, false),
    face({ rank: "RANK_SEVEN", suit: "SUIT_COPAS" }, false),
    face({ rank: "RANK_ACE", suit: "SUIT_ESPADAS" }, false),
    face({ rank: "RANK_SEVEN", suit: "SUIT_OUROS" }, false),
  );
  byId("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const isForRooms = event.submitter === byId("name-rooms");
    busy(event.submitter, "name-error", () => signIn(isForRooms ? toRooms : newTable));
  });
  byId("known-play").addEventListener("click", (event) => busy(event.currentTarget, "known-error", newTable));
  byId("known-rooms").addEventListener("click", toRooms);
  rooms = new Rooms({ onTable: join, onBack: toWelcome, onSignedOut: sessionOver });
  byId("known-other").addEventListener("click", leaveAccount);
  byId("again").addEventListener("click", (event) => busy(event.currentTarget, "result-error", newTable));
  byId("result-leave").addEventListener("click", toWelcome);
  byId("leave").addEventListener("click", askToLeave);
  byId("confirm-stay").addEventListener("click", () => byId("confirm-leave").close());
  byId("confirm-yes").addEventListener("click", leave);
  byId("check-close").addEventListener("click", () => byId("check").close());
  byId("result").addEventListener("cancel", (event) => event.preventDefault());
  byId("hurry").checked = load("hurry") === true;
  byId("hurry").addEventListener("change", (event) => save("hurry", event.currentTarget.checked));
  addEventListener("hashchange", enter);
  comeBack();
}

/** Who comes back after the token's hour is let in by the refresh token. */
async function comeBack() {
  if (session?.refreshToken && Date.parse(session.expiresAt) - Date.now() < EXPIRES_SOON_MS) {
    try {
      await alone(renew);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 || error.status === 403) {
        signOut();
        byId("name-error").textContent = error.message;
        return;
      }
    }
  }
  enter();
}

/** Goes where the address says: to a table, or to the welcome. */
function enter() {
  const tableId = HASH.exec(location.hash)?.[1] ?? load("table");
  if (session && location.hash === ROOMS_HASH) toRooms();
  else if (session && tableId) join(tableId);
  else toWelcome();
}

/** Registers the name that was picked, and goes on to what it was picked for. */
async function signIn(goOn) {
  const name = byId("name").value.trim();
  const wish = load("guest");
  const key = wish?.name === name ? wish.key : crypto.randomUUID();
  save("guest", { name, key });
  const guest = await createGuest(name, key).catch((error) => {
    const suggestion = error.facts?.suggestion;
    if (!suggestion) throw error;
    byId("name").value = suggestion;
    throw new ApiError(error.code, `${error.message} Que tal “${suggestion}”?`, error.status);
  });
  save("guest", null);
  session = { playerId: guest.player_id, name: guest.name, secret: crypto.randomUUID(), ...tokensOf(guest) };
  save("session", session);
  await goOn();
}

function tokensOf(answer) {
  return {
    token: answer.token,
    expiresAt: answer.expires_at,
    refreshToken: answer.refresh_token,
    renewedAt: Date.now(),
  };
}

/** Leaves for good: the session ends on the server too, as far as it can be reached. */
function leaveAccount() {
  endSession(session.token).catch(() => {}); // Gone already, or the tokens live out their hour.
  signOut();
}

function signOut() {
  connection?.close();
  connection = null;
  clearTimeout(renewal);
  session = null;
  save("session", null);
  toWelcome();
}

async function newTable() {
  const wish = load("practice") ?? { key: crypto.randomUUID(), entropy: entropy() };
  save("practice", wish);
  try {
    // In this order: the server is bound before it knows what we add.
    wish.promised ??= (await practiceCommitment(session.token, wish.key)).commitment;
    save("practice", wish);
    const { table_id: tableId } = await createPractice(session.token, wish.key, wish.entropy);
    new Witness(tableId).promised(wish.promised, wish.entropy);
    save("practice", null);
    join(tableId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status > 0 && error.status < 500 && error.status !== 429) save("practice", null);
    const { place, table_id: tableId } = error.facts ?? {};
    if (place) return place === "playing" ? join(tableId) : toRooms(); // One place at a time: the player is there already.
    if (error.status !== 401) throw error;
    sessionOver();
  }
}

function sessionOver() {
  signOut();
  byId("name-error").textContent = "Sua sessão terminou. Escolha um nome para jogar de novo.";
}

/** Shows the rooms. */
function toRooms() {
  if (rooms.isOpen) return;
  byId("welcome").hidden = true;
  byId("table").hidden = true;
  history.replaceState(null, "", ROOMS_HASH);
  rooms.open(session);
}

function join(tableId) {
  if (game?.tableId === tableId) return;
  game?.stop();
  save("table", tableId);
  byId("result").close();
  history.replaceState(null, "", `#mesa=${tableId}`);
  connection ??= new Connection(session.token, listener);
  game = new Game({ tableId, session, connection, onEnd: showResult, isHurried: () => byId("hurry").checked });
  game.start();
  rooms.close();
  byId("welcome").hidden = true;
  byId("table").hidden = false;
}

function toWelcome() {
  game?.stop();
  game = null;
  save("table", null);
  byId("result").close();
  history.replaceState(null, "", location.pathname);
  rooms.close();
  byId("table").hidden = true;
  byId("welcome").hidden = false;
  byId("name-form").hidden = session !== null;
  byId("known").hidden = session === null;
  byId("known-name").textContent = session?.name ?? "";
  byId("name-error").textContent = "";
  byId("known-error").textContent = "";
  (session === null ? byId("name") : byId("known-play")).focus();
}

function askToLeave() {
  if (game === null || game.isOver || !game.hasSeat) toWelcome();
  else byId("confirm-leave").showModal();
}

function leave() {
  byId("confirm-leave").close();
  if (!game?.leave()) toWelcome();
}

function showResult(view, seats) {
  byId("confirm-leave").close();
  save("table", null);
  const { reason, winners, score } = view.result;
  const won = winners.some((side) => seats.isOurs(side));
  const wasPlayed = reason === "END_REASON_FINISHED";
  byId("result-title").textContent = !wasPlayed ? "Partida encerrada" : won ? "Vocês ganharam!" : "Eles ganharam.";
  const [ours, theirs] = seats.scoreOf(score);
  byId("result-score").textContent = `${ours} × ${theirs}`;
  byId("result-text").textContent = !wasPlayed
    ? "Não havia mais ninguém jogando: a partida terminou sem vencedor."
    : won
      ? "Que beleza de partida. Mais uma?"
      : "Fica para a próxima. Revanche?";
  byId("result-error").textContent = "";
  byId("result-check").onclick = () => showCheck(session.token, view.tableId, (seat) => seats.who(seat));
  byId("result").showModal();
  byId("again").focus();
}

const listener = {
  connected(welcome) {
    note(null);
    scheduleRenewal(welcome);
    game?.connected(welcome.serverTime);
  },
  disconnected(retryInMs) {
    note(`Sem conexão. Tentando de novo em ${Math.max(1, Math.round(retryInMs / 1000))} s…`);
    game?.disconnected();
  },
  async signedOut({ code, text }) {
    note(null);
    // A token that ended while this device slept is no reason to lose the player.
    if (EXPIRED.has(code) && (await canRenew())) {
      location.reload();
      return;
    }
    signOut();
    byId("name-error").textContent =
      code === "PLAYER_BANNED" ? text : "Sua sessão terminou. Escolha um nome para jogar de novo.";
  },
  updated(update) {
    if (update.tableId === game?.tableId) game.update(update);
  },
  detached(code) {
    toWelcome();
    byId(session ? "known-error" : "name-error").textContent =
      code === "TABLE_NOT_FOUND" ? "Esta mesa não existe mais." : "Não foi possível entrar nesta mesa.";
  },
  answered(commandId, outcome) {
    game?.answered(commandId, outcome);
  },
  failed(commandId, text) {
    game?.failed(commandId, text);
  },
};

/** Renews the token half-way through its life, by the server's clock. */
function scheduleRenewal({ serverTime, tokenExpiresAt }) {
  const leftMs = Date.parse(tokenExpiresAt) - Date.parse(serverTime);
  renewAfter(Math.min(Math.max(leftMs / 2, 1000), 2 ** 31 - 1));
}

function renewAfter(ms) {
  clearTimeout(renewal);
  renewal = setTimeout(async () => {
    try {
      await alone(renew);
      connection?.renew(session.token);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== 401) renewAfter(RENEW_RETRY_MS);
    }
  }, ms);
}

/** Whether the session could be renewed just now, and was not a moment ago: that would go round and round. */
async function canRenew() {
  if (!session?.refreshToken || Date.now() - (session.renewedAt ?? 0) < RENEWED_JUST_NOW_MS) return false;
  try {
    await alone(renew);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

/** Renews the session, unless another window of this browser just did: a refresh token works once. */
async function renew() {
  const stored = load("session");
  if (stored?.playerId === session.playerId && stored.token !== session.token) {
    Object.assign(session, stored);
    return;
  }
  Object.assign(session, tokensOf(await renewSession(session.refreshToken, await renewalKey())));
  save("session", session);
}

/**
 * The key of this renewal. It follows from the refresh token and a secret of this browser: after a reload, and in a
 * window that does not see yet what another one has stored, it is the same wish; from anywhere else it is a theft.
 */
async function renewalKey() {
  const text = new TextEncoder().encode(`${session.secret} ${session.refreshToken}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).slice(0, 16);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Runs work in one window of this browser at a time. */
function alone(work) {
  return navigator.locks ? navigator.locks.request("carteado.session", work) : work();
}

/** Runs what a button asks for once at a time, and says in words why it failed. */
async function busy(button, errorId, work) {
  byId(errorId).textContent = "";
  button.disabled = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    byId(errorId).textContent = error.message;
  } finally {
    button.disabled = false;
  }
}

function note(text) {
  byId("note").hidden = text === null;
  byId("note").textContent = text ?? "";
}

function entropy() {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
}

start();
