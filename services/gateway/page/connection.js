// The WebSocket: says who we are, follows one table, sends commands, and comes back by itself.
//
// A command keeps its id until its outcome is known: after a loss it is sent again, and the server does it once.

const SUBPROTOCOL = "carteado.v1.json";
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15000;
const PING_EVERY_MS = 15000;
const SILENCE_MS = 25000;
const COMMAND_TRIES = 6;
const CLOSED_FOR_GOOD = new Set([4401, 4403]);
const PASSING = new Set(["UNAVAILABLE", "OVERLOADED", "TOO_MANY_COMMANDS"]);

export class Connection {
  #listener;
  #token;
  #socket = null;
  #isWelcome = false;
  #losses = 0;
  #retry = null;
  #heartbeat = null;
  #heardAt = 0;
  #table = null;
  #commands = new Map();
  #isClosed = false;
  #lastWords = { code: "", text: "" };

  /**
   * `listener` has: connected(welcome), disconnected(retryInMs), signedOut({code, text}), updated(update), detached(code),
   * answered(commandId, outcome), failed(commandId, text).
   */
  constructor(token, listener) {
    this.#token = token;
    this.#listener = listener;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#open();
  }

  get isConnected() {
    return this.#isWelcome;
  }

  /** Follows a table from a version on; `lastVersion` is asked again at each connection. */
  follow(tableId, lastVersion) {
    this.#table = { tableId, lastVersion };
    this.#attach();
  }

  /** Sends what a seat does; the listener hears its outcome, once. */
  submit(command) {
    this.#commands.set(command.commandId, { command, tries: 0 });
    this.#sendCommand(command.commandId);
  }

  /** Takes a new token, on the open socket too. */
  renew(token) {
    this.#token = token;
    if (this.#isWelcome) this.#send({ hello: { token } });
  }

  /** Ends it for good. */
  close() {
    this.#isClosed = true;
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    this.#socket?.close(1000);
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`, [SUBPROTOCOL]);
    this.#socket = socket;
    this.#heardAt = performance.now();
    socket.addEventListener("open", () => this.#send({ hello: { token: this.#token } }));
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#take(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    });
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.#beat(), PING_EVERY_MS);
  }

  #lost(code) {
    this.#isWelcome = false;
    this.#socket = null;
    clearInterval(this.#heartbeat);
    if (this.#isClosed) return;
    if (CLOSED_FOR_GOOD.has(code)) {
      this.#isClosed = true;
      this.#listener.signedOut(this.#lastWords);
      return;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#losses);
    const pauseMs = longest * (0.5 + Math.random() / 2);
    this.#losses += 1;
    this.#retry = setTimeout(() => this.#open(), pauseMs);
    this.#listener.disconnected(pauseMs);
  }

  // An arrow function, so that it can be taken off as a listener.
  #hurry = () => {
    if (document.visibilityState !== "visible" || this.#isClosed) return;
    if (this.#socket === null) {
      clearTimeout(this.#retry);
      this.#open();
    } else {
      this.#beat();
    }
  };

  #beat() {
    if (performance.now() - this.#heardAt > SILENCE_MS) {
      const silent = this.#socket;
      this.#lost(1006);
      silent.close();
    } else if (this.#isWelcome) {
      this.#send({ ping: {} });
    }
  }

  #take(message) {
    this.#heardAt = performance.now();
    if (message.welcome) this.#welcome(message.welcome);
    else if (message.update) this.#update(message.update);
    else if (message.commandResult) this.#answer(message.commandResult);
    else if (message.tableDetached) this.#detached(message.tableDetached);
    else if (message.error) this.#error(message.error);
  }

  #welcome(welcome) {
    const isFirst = !this.#isWelcome;
    this.#isWelcome = true;
    this.#losses = 0;
    this.#listener.connected(welcome);
    if (!isFirst) return; // A renewed token; everything else goes on.
    this.#attach();
    for (const commandId of this.#commands.keys()) this.#sendCommand(commandId);
  }

  #update(update) {
    const table = this.#table;
    if (!table || update.tableId !== table.tableId) return;
    const isNews = update.isResync || table.lastVersion === 0 || update.toVersion > table.lastVersion;
    if (!isNews) return;
    if (!update.isResync && table.lastVersion !== 0 && update.fromVersion !== table.lastVersion) {
      this.#attach(); // Something is missing: ask for it instead of guessing.
      return;
    }
    table.lastVersion = update.toVersion;
    this.#listener.updated(update);
  }

  #answer({ commandId, outcome }) {
    if (outcome.refused && this.#tryAgain(commandId, outcome.refused.code)) return;
    if (this.#commands.delete(commandId)) this.#listener.answered(commandId, outcome);
  }

  #detached({ tableId, code }) {
    if (!this.#table || tableId !== this.#table.tableId) return;
    if (code === "SLOW_CONSUMER" || code === "UNAVAILABLE") {
      setTimeout(() => this.#attach(), FIRST_PAUSE_MS * (1 + Math.random()));
      return;
    }
    this.#listener.detached(code);
  }

  #error({ code, textPt, commandId }) {
    if (this.#tryAgain(commandId, code)) return;
    // An error of no command is the connection's: the close that follows says what to do, this says why.
    if (!commandId) this.#lastWords = { code, text: textPt };
    if (this.#commands.delete(commandId)) this.#listener.failed(commandId, textPt);
  }

  #tryAgain(commandId, code) {
    const pending = this.#commands.get(commandId);
    if (!pending || !PASSING.has(code) || pending.tries >= COMMAND_TRIES) return false;
    setTimeout(() => this.#sendCommand(commandId), FIRST_PAUSE_MS * 2 ** pending.tries * (0.5 + Math.random() / 2));
    return true;
  }

  #attach() {
    if (this.#isWelcome && this.#table) this.#send({ attachTable: this.#table });
  }

  #sendCommand(commandId) {
    const pending = this.#commands.get(commandId);
    if (!pending || !this.#isWelcome) return;
    pending.tries += 1;
    this.#send({ command: pending.command });
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
