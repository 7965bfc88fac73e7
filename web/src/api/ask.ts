// One question to the HTTP API: a deadline, a few tries while the answer may yet come, and failures in words.

import { type Words, textOf, words } from "../i18n/index.ts";
import type { Error as Refusal } from "./generated/http.ts";

const TIMEOUT_MS = 8000;
const TRIES = 4;
const FIRST_PAUSE_MS = 300;

export interface Question {
  readonly token?: string;
  /** The idempotency key: a wish keeps its own, so that asking again never does it twice. */
  readonly key?: string;
  readonly body?: unknown;
  /** Gives the question up. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A refusal, or no answer at all: then the status is 0. */
export class ApiError extends globalThis.Error {
  readonly code: string;
  readonly status: number;
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: string, text: string, status: number, facts: Readonly<Record<string, string>> = {}) {
    super(text);
    this.code = code;
    this.status = status;
    this.facts = facts;
  }

  /** Whether the same question may yet be answered. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The answer. Raises ApiError. */
export async function ask<Answer>(method: string, path: string, question: Question = {}): Promise<Answer> {
  const { token, key, body, signal, timeoutMs = TIMEOUT_MS } = question;
  const headers: Record<string, string> = {};
  if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
  if (key !== undefined) headers["Idempotency-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const request: RequestInit = { method, headers };
  if (body !== undefined) request.body = JSON.stringify(body);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await once<Answer>(path, request, timeoutMs, signal);
    if (!(outcome instanceof ApiError)) return outcome;
    if (!outcome.mayPass || attempt === TRIES || signal?.aborted === true) throw outcome;
    await pause(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
  }
}

/** The words for a failure; what is no failure of the API is a bug and goes on. */
export function failureText(failure: unknown): string {
  if (failure instanceof ApiError) return failure.message;
  throw failure;
}

async function once<Answer>(
  path: string,
  request: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer | ApiError> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, {
      ...request,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as Answer;
    const refusal = answer as Refusal;
    return new ApiError(refusal.code, textOf(refusal), response.status, refusal.facts);
  } catch {
    return new ApiError("NO_CONNECTION", offline(words.value), 0);
  }
}

function offline(w: Words): string {
  return w.connection.none;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
