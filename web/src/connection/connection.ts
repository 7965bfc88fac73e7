// The WebSocket: says who we are, follows one table, sends commands, and comes back by itself.
//
// A command keeps its id until its outcome is known: after a loss it is sent again, and the server does it once.

import type {
  ClientMessage,
  CommandResult,
  ProtocolError,
  ServerMessage,
  TableDetached,
  Welcome,
} from "../api/generated/gateway.ts";
import type { CommandOutcome, TableCommand, TableUpdate } from "../api/generated/table.ts";

const SUBPROTOCOL = "carteado.v1.json";
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15000;
const PING_EVERY_MS = 15000;
const SILENCE_MS = 25000;
const COMMAND_TRIES = 6;
/** Too many windows: one that came back at once would close another. */
const TOO_MANY_SOCKETS = 4431;
const CLOSED_FOR_GOOD = new Set([4401, 4403]);
const PASSING = new Set(["UNAVAILABLE", "OVERLOADED", "TOO_MANY_COMMANDS"]);
const LET_GO = new Set(["SLOW_CONSUMER", "UNAVAILABLE"]);

/** Why the connection ended for good. */
export type LastWords = Pick<ProtocolError, "code" | "textPt" | "textEn">;

/** Who hears what comes. */
export interface Listener {
  connected(welcome: Welcome): void;
  disconnected(retryInMs: number): void;
  signedOut(words: LastWords): void;
  updated(update: TableUpdate): void;
  detached(code: string): void;
  answered(commandId: string, outcome: CommandOutcome): void;
  failed(commandId: string, error: ProtocolError): void;
}

interface Pending {
  readonly command: TableCommand;
  tries: number;
}

export class Connection {
  #listener: Listener;
  #token: string;
  #socket: WebSocket | null = null;
  #isWelcome = false;
  #losses = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #table: { tableId: string; lastVersion: number } | null = null;
  #commands = new Map<string, Pending>();
  #isClosed = false;
  #lastWords: LastWords = { code: "", textPt: "", textEn: "" };

  constructor(token: string, listener: Listener) {
    this.#token = token;
    this.#listener = listener;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#open();
  }

  /** Whether the server knows us now. */
  get isConnected(): boolean {
    return this.#isWelcome;
  }

  /** Follows a table from its beginning; after a loss it is asked for from the version that we have. */
  follow(tableId: string): void {
    if (this.#table !== null && this.#table.tableId !== tableId) this.unfollow();
    this.#table = { tableId, lastVersion: 0 };
    this.#attach();
  }

  /** Hears no more of the table. */
  unfollow(): void {
    if (this.#table === null) return;
    if (this.#isWelcome) this.#send({ detachTable: { tableId: this.#table.tableId } });
    this.#table = null;
  }

  /** Sends what a seat does; the listener hears its outcome, once. */
  submit(command: TableCommand): void {
    this.#commands.set(command.commandId, { command, tries: 0 });
    this.#sendCommand(command.commandId);
  }

  /** Takes a new token, on the open socket too. */
  renew(token: string): void {
    this.#token = token;
    if (this.#isWelcome) this.#send({ hello: { token } });
  }

  /** Ends it for good. */
  close(): void {
    this.#isClosed = true;
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    this.#socket?.close(1000);
  }

  #open(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`, [SUBPROTOCOL]);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.addEventListener("open", () => this.#send({ hello: { token: this.#token } }));
    socket.addEventListener("message", (event: MessageEvent<string>) => {
      if (socket === this.#socket) this.#take(JSON.parse(event.data) as ServerMessage);
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    });
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.#beat(), PING_EVERY_MS);
  }

  #lost(code: number): void {
    this.#isWelcome = false;
    this.#socket = null;
    clearInterval(this.#heartbeat);
    if (this.#isClosed) return;
    if (CLOSED_FOR_GOOD.has(code)) {
      this.#isClosed = true;
      this.#listener.signedOut(this.#lastWords);
      return;
    }
    const longest =
      code === TOO_MANY_SOCKETS
        ? LONGEST_PAUSE_MS
        : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#losses);
    const pauseMs = longest * (0.5 + Math.random() / 2);
    this.#losses += 1;
    this.#retry = setTimeout(() => this.#open(), pauseMs);
    this.#listener.disconnected(pauseMs);
  }

  // An arrow function, so that it can be taken off as a listener.
  #hurry = (): void => {
    if (document.visibilityState !== "visible" || this.#isClosed) return;
    if (this.#socket === null) {
      clearTimeout(this.#retry);
      this.#open();
    } else {
      this.#beat();
    }
  };

  #beat(): void {
    if (performance.now() - this.#heardAt > SILENCE_MS) {
      const silent = this.#socket;
      this.#lost(1006);
      silent?.close();
    } else if (this.#isWelcome) {
      this.#send({ ping: {} });
    }
  }

  #take(message: ServerMessage): void {
    this.#heardAt = performance.now();
    if (message.welcome) this.#welcome(message.welcome);
    else if (message.update) this.#update(message.update);
    else if (message.commandResult) this.#answer(message.commandResult);
    else if (message.tableDetached) this.#detached(message.tableDetached);
    else if (message.error) this.#error(message.error);
  }

  #welcome(welcome: Welcome): void {
    const isFirst = !this.#isWelcome;
    this.#isWelcome = true;
    this.#losses = 0;
    this.#listener.connected(welcome);
    if (!isFirst) return; // A renewed token; everything else goes on.
    this.#attach();
    for (const commandId of this.#commands.keys()) this.#sendCommand(commandId);
  }

  #update(update: TableUpdate): void {
    const table = this.#table;
    if (table === null || update.tableId !== table.tableId) return;
    const isNews = update.isResync || table.lastVersion === 0 || update.toVersion > table.lastVersion;
    if (!isNews) return;
    if (!update.isResync && table.lastVersion !== 0 && update.fromVersion !== table.lastVersion) {
      this.#attach(); // Something is missing: ask for it instead of guessing.
      return;
    }
    table.lastVersion = update.toVersion;
    this.#listener.updated(update);
  }

  #answer({ commandId, outcome }: CommandResult): void {
    if (outcome === undefined) return;
    if (outcome.refused && this.#tryAgain(commandId, outcome.refused.code)) return;
    if (this.#commands.delete(commandId)) this.#listener.answered(commandId, outcome);
  }

  #detached({ tableId, code }: TableDetached): void {
    if (tableId !== this.#table?.tableId) return;
    if (LET_GO.has(code)) setTimeout(() => this.#attach(), FIRST_PAUSE_MS * (1 + Math.random()));
    else this.#listener.detached(code);
  }

  #error(error: ProtocolError): void {
    const { code, commandId } = error;
    if (this.#tryAgain(commandId, code)) return;
    // An error of no command is the connection's: the close that follows says what to do, this says why.
    if (commandId === "") this.#lastWords = error;
    if (this.#commands.delete(commandId)) this.#listener.failed(commandId, error);
  }

  #tryAgain(commandId: string, code: string): boolean {
    const pending = this.#commands.get(commandId);
    if (pending === undefined || !PASSING.has(code) || pending.tries >= COMMAND_TRIES) return false;
    const pauseMs = FIRST_PAUSE_MS * 2 ** pending.tries * (0.5 + Math.random() / 2);
    setTimeout(() => this.#sendCommand(commandId), pauseMs);
    return true;
  }

  #attach(): void {
    if (this.#isWelcome && this.#table !== null) this.#send({ attachTable: this.#table });
  }

  #sendCommand(commandId: string): void {
    const pending = this.#commands.get(commandId);
    if (pending === undefined || !this.#isWelcome) return;
    pending.tries += 1;
    this.#send({ command: pending.command });
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
