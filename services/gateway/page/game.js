// One table as it is played: takes updates in order, shows each long enough to be understood, sends moves.

import { playerNames } from "./api.js";
import { cardName } from "./cards.js";
import { ServerClock, instant } from "./clock.js";
import { byId, el } from "./dom.js";
import { ending } from "./scene.js";
import { Seats, TableScreen } from "./table.js";
import { Witness } from "./witness.js";
import { capital, sentence, speech } from "./words.js";

const TRICK_PAUSE_MS = 1300;
const HAND_PAUSE_MS = 2400;
const SPEECH_MS = 2600;
const LOG_LINES = 60;
const CLOCK_EVERY_MS = 200;

export class Game {
  #tableId;
  #session;
  #connection;
  #onEnd;
  #isHurried;
  #clock = new ServerClock();
  #screen = new TableScreen((move) => this.#play({ truco: move }));
  #view = null;
  #witness;
  #names = new Map();
  #queue = [];
  #isShowing = false;
  #told = null;
  #speech = new Map();
  #pending = null;
  #device = deviceId();
  #ticking;
  #isOver = false;

  /** `onEnd(view, seats)` is called once, when the match has ended; `isHurried()` says whether pauses are left out. */
  constructor({ tableId, session, connection, onEnd, isHurried }) {
    this.#tableId = tableId;
    this.#witness = new Witness(tableId);
    this.#session = session;
    this.#connection = connection;
    this.#onEnd = onEnd;
    this.#isHurried = isHurried;
    byId("log").replaceChildren();
    byId("refusal").textContent = "";
    byId("elsewhere").hidden = true;
    byId("play-here").onclick = () => this.#claim();
    this.#ticking = setInterval(() => this.#tick(), CLOCK_EVERY_MS);
  }

  get tableId() {
    return this.#tableId;
  }

  /** Begins to follow the table. */
  start() {
    this.#connection.follow(this.#tableId, 0);
  }

  /** Takes an update, to be shown when those before it have been. */
  update(update) {
    this.#clock.observe(update.serverTime);
    this.#witness.see(update);
    this.#queue.push(update);
    if (!this.#isShowing) this.#showAll();
  }

  /** The connection is back. */
  connected(serverTime) {
    this.#clock.restart(serverTime);
    this.#draw();
  }

  /** The connection was lost: moves wait for it. */
  disconnected() {
    this.#draw();
  }

  /** A command was decided. */
  answered(commandId, outcome) {
    if (commandId !== this.#pending?.commandId) return;
    if (outcome.refused) {
      this.#pending = null;
      this.#refuse(outcome.refused.textPt);
    } else {
      this.#pending.version = outcome.accepted.version;
      this.#settle();
    }
    this.#draw();
  }

  /** A command could not be brought to the table. */
  failed(commandId, text) {
    if (commandId !== this.#pending?.commandId) return;
    this.#pending = null;
    this.#refuse(text);
    this.#draw();
  }

  /** Leaves the match on purpose; false where there is no seat to leave or no way to say so. */
  leave() {
    if (this.#view?.yourSeat === undefined || !this.#connection.isConnected) return false;
    this.#pending = null;
    this.#play({ leave: {} });
    return true;
  }

  /** Whether this person plays here; who only watches has nothing to abandon. */
  get hasSeat() {
    return this.#view?.yourSeat !== undefined;
  }

  get isOver() {
    return this.#isOver;
  }

  /** Stops drawing. */
  stop() {
    clearInterval(this.#ticking);
    this.#queue.length = 0;
    this.#view = null;
  }

  #play(action) {
    if (this.#pending) return;
    const commandId = crypto.randomUUID();
    this.#pending = { commandId, version: null };
    byId("refusal").textContent = "";
    this.#connection.submit({ commandId, tableId: this.#tableId, claim: this.#device, ...action });
    this.#draw();
  }

  /** Takes up the seat from this window: the others then only watch. */
  #claim() {
    this.#connection.submit({
      commandId: crypto.randomUUID(),
      tableId: this.#tableId,
      claim: this.#device,
      claimSeat: {},
    });
  }

  get #claimed() {
    return this.#view?.seats[this.#view.yourSeat]?.claim ?? "";
  }

  get #isElsewhere() {
    return this.#view?.status === "TABLE_STATUS_PLAYING" && this.#claimed !== "" && this.#claimed !== this.#device;
  }

  async #showAll() {
    this.#isShowing = true;
    while (this.#queue.length > 0) await this.#show(this.#queue.shift());
    this.#isShowing = false;
    this.#draw();
    if (this.#view?.status === "TABLE_STATUS_ENDED" && !this.#isOver) {
      this.#isOver = true;
      this.#onEnd(this.#view, new Seats(this.#view, this.#names));
    }
  }

  async #show(update) {
    const before = this.#view;
    await this.#learnNames(update.view);
    if (before === null) {
      this.#tellWhereWeAre(update.view);
      const { status, yourSeat, seats } = update.view;
      // Whoever opens the table means to play from here.
      if (status === "TABLE_STATUS_PLAYING" && yourSeat !== undefined && seats[yourSeat].claim !== this.#device) this.#claim();
    }
    this.#tell(update);
    const end = update.isResync || before === null ? null : ending(before, update.events);
    if (end !== null) {
      const handEnded = update.events.find((event) => event.truco?.handEnded);
      const trickEnded = update.events.find((event) => event.truco?.trickEnded);
      this.#view = end;
      this.#told = this.#sentence(handEnded ?? trickEnded, end);
      this.#draw();
      await this.#pause(handEnded ? HAND_PAUSE_MS : TRICK_PAUSE_MS);
      this.#told = null;
      if (this.#view !== end) return; // Stopped meanwhile.
    }
    this.#view = update.view;
    this.#settle();
    this.#draw();
  }

  #tellWhereWeAre(view) {
    const { hand, vira, score } = view.truco;
    const [ours, theirs] = new Seats(view, this.#names).scoreOf(score);
    const what = view.yourSeat === undefined ? "Você está assistindo" : "Você está na mesa";
    log(`${what}. Nós ${ours}, eles ${theirs}. ${hand}ª mão, vira: ${cardName(vira)}.`);
  }

  #tell(update) {
    for (const event of update.events) {
      const words = this.#sentence(event, update.view);
      if (words) log(words);
      const said = speech(event);
      if (said) this.#say(...said);
    }
  }

  #sentence(event, view) {
    const seats = new Seats(view, this.#names);
    return sentence(event, {
      who: (seat) => seats.who(seat),
      isOurs: (side) => seats.isOurs(side),
      score: (score) => {
        const [ours, theirs] = seats.scoreOf(score);
        return `Nós ${ours}, eles ${theirs}.`;
      },
    });
  }

  #say(seat, words) {
    this.#speech.set(seat, words);
    setTimeout(() => {
      if (this.#speech.get(seat) === words) {
        this.#speech.delete(seat);
        this.#draw();
      }
    }, SPEECH_MS);
  }

  async #learnNames(view) {
    const unknown = view.seats.map((seat) => seat.playerId).filter((id) => id && !this.#names.has(id));
    if (unknown.length === 0) return;
    this.#names.set(this.#session.playerId, this.#session.name);
    const others = unknown.filter((id) => id !== this.#session.playerId);
    if (others.length === 0) return;
    try {
      for (const [id, name] of await playerNames(this.#session.token, others)) this.#names.set(id, name);
    } catch {
      for (const id of others) this.#names.set(id, "Jogador"); // A name is not worth waiting for.
    }
  }

  #pause(ms) {
    if (this.#isHurried() || this.#queue.length > 4) return Promise.resolve();
    return new Promise((resolve) => setTimeout(resolve, this.#queue.length > 2 ? ms / 2 : ms));
  }

  #settle() {
    if (this.#pending?.version !== undefined && this.#pending?.version !== null && this.#view?.version >= this.#pending.version) {
      this.#pending = null;
    }
  }

  #refuse(text) {
    byId("refusal").textContent = text;
    log(text);
  }

  #draw() {
    if (!this.#view?.truco) return;
    const canAct =
      this.#connection.isConnected && !this.#pending && this.#told === null && this.#claimed === this.#device;
    byId("elsewhere").hidden = !this.#isElsewhere;
    this.#screen.draw({ view: this.#view, names: this.#names, canAct, speech: this.#speech, told: this.#told });
    this.#tick();
  }

  #tick() {
    const clock = this.#view?.clock;
    if (!clock?.dueAt) {
      this.#screen.drawClock(null, 0);
      return;
    }
    this.#screen.drawClock(this.#clock.until(clock.dueAt), instant(clock.dueAt) - instant(clock.startedAt));
  }
}

/** This window's name among the player's devices: it outlives a reload, and a second window has another one. */
function deviceId() {
  let id = null;
  try {
    id = sessionStorage.getItem("carteado.device");
    id ??= crypto.randomUUID();
    sessionStorage.setItem("carteado.device", id);
  } catch {
    id ??= crypto.randomUUID(); // Storage may be forbidden: then a reload is another device.
  }
  return id;
}

function log(words) {
  const lines = byId("log");
  lines.append(el("li", {}, capital(words)));
  while (lines.children.length > LOG_LINES) lines.firstElementChild.remove();
  lines.scrollTop = lines.scrollHeight;
}
