// The HTTP API: what is not live. Each wish carries a key, so that asking again never does it twice.

const TIMEOUT_MS = 8000;
const TRIES = 4;
const FIRST_PAUSE_MS = 300;

/** An answer in words. */
export class ApiError extends Error {
  constructor(code, text, status, facts = {}) {
    super(text);
    this.code = code;
    this.status = status;
    this.facts = facts;
  }
}

/** Registers a guest: {player_id, name, token, expires_at, refresh_token}. */
export function createGuest(name, key) {
  return ask("POST", "/api/v1/guests", { key, body: { name } });
}

/** A new token for a refresh token, which works once; the same key gets the same answer: {token, expires_at, refresh_token}. */
export function renewSession(refreshToken, key) {
  return ask("POST", "/api/v1/session/renew", { key, body: { refresh_token: refreshToken } });
}

/** Ends the session of this token. */
export function endSession(token) {
  return ask("DELETE", "/api/v1/session", { token });
}

/** What the server is bound to before it knows what we add to the shuffle: {table_id, commitment} of this key's table. */
export function practiceCommitment(token, key) {
  return ask("GET", "/api/v1/practice/commitment", { token, key });
}

/** The whole record of a finished match (docs/record.md). */
export async function matchRecord(token, tableId) {
  const path = `/api/v1/tables/${tableId}/record`;
  const record = await ask("GET", path, { token });
  for (let next = record.next_after; next !== undefined; ) {
    const page = await ask("GET", `${path}?after=${next}`, { token });
    record.events.push(...page.events);
    next = page.next_after;
  }
  return record;
}

/** Opens a table with three robots: {table_id}. */
export function createPractice(token, key, entropy) {
  return ask("POST", "/api/v1/practice", { token, key, body: { game: "truco-paulista", entropy } });
}

/** Names by player id, as a Map. */
export async function playerNames(token, ids) {
  const { players } = await ask("GET", `/api/v1/players?ids=${ids.join(",")}`, { token });
  return new Map(players.map((player) => [player.player_id, player.name]));
}

/** An answer of the API, asked for again a few times while it may yet come. Raises ApiError; `signal` gives it up. */
export async function ask(method, path, { token, key, body, signal, timeoutMs = TIMEOUT_MS }) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (body) headers["Content-Type"] = "application/json";
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once(path, { method, headers, body: body && JSON.stringify(body) }, timeoutMs, signal);
    if (!(outcome instanceof ApiError)) return outcome;
    const mayPass = outcome.status === 0 || outcome.status === 429 || outcome.status >= 500;
    if (!mayPass || attempt === TRIES || signal?.aborted) throw outcome;
    await pause(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
  }
}

async function once(path, request, timeoutMs, signal) {
  let response;
  let answer;
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]) });
    answer = await response.json();
  } catch {
    return new ApiError("NO_CONNECTION", "Sem conexão com o servidor. Tente de novo.", 0);
  }
  return response.ok ? answer : new ApiError(answer.code, answer.text_pt, response.status, answer.facts);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
