// One table as it is played: takes updates in order, shows each long enough to be understood, sends moves.

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { playerNames } from "../api/accounts.ts";
import type { ProtocolError } from "../api/generated/gateway.ts";
import type {
  CommandOutcome,
  TableCommand,
  TableEvent,
  TableUpdate,
  TableView,
} from "../api/generated/table.ts";
import { instant, ServerClock } from "../connection/clock.ts";
import type { Connection } from "../connection/connection.ts";
import { keepUpdate } from "../fairness/witness.ts";
import type { Game, Interlude } from "../games/game.ts";
import { gameOf } from "../games/registry.ts";
import { textOf, words } from "../i18n/index.ts";
import { deviceId } from "../session/device.ts";
import type { Session } from "../session/session.ts";
import { settings } from "../session/settings.ts";
import { capital, platformSentence } from "./sentences.ts";
import { Seats } from "./seats.ts";

const SPEECH_MS = 2600;
const LOG_LINES = 80;
const MOST_EVENTS = 6000;
const CLOCK_EVERY_MS = 200;
const WAITING_UPDATES = 4;

export interface LogLine {
  readonly id: number;
  readonly text: string;
}

/** What a seat does: one game's move, or what every game has. */
export type Action = Omit<TableCommand, "commandId" | "tableId" | "claim">;

export interface MatchParts {
  readonly tableId: string;
  readonly session: ReadonlySignal<Session | null>;
  readonly connection: Connection;
  /** Called once, when the match has ended and its end was seen. */
  readonly onEnd: () => void;
  /** Called when one has left a match that goes on, or has none to leave any more. */
  readonly onLeft: () => void;
}

export class Match {
  readonly tableId: string;
  /** The table as it is shown: a moment behind while a trick's end is looked at; null before the first view. */
  readonly view = signal<TableView | null>(null);
  readonly game = signal<Game | null>(null);
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  /** What just ended, in words, while it is looked at. */
  readonly told = signal<string | null>(null);
  readonly speech = signal<ReadonlyMap<number, string>>(new Map());
  readonly lines = signal<readonly LogLine[]>([]);
  /** Every event that came since this page is at the table. */
  readonly events = signal<readonly TableEvent[]>([]);
  readonly refusal = signal("");
  readonly isOver = signal(false);
  /** Milliseconds left on the running clock, and of how many; null where none runs. */
  readonly clock = signal<{ readonly leftMs: number; readonly wholeMs: number } | null>(null);
  readonly seats = computed(() =>
    this.view.value === null ? null : new Seats(this.view.value, this.names.value),
  );
  /** Whether a move of ours is on its way: what is begun meanwhile may count when it has been decided. */
  readonly isDeciding = computed(() => this.#pending.value !== null);
  /** Whether moves may be offered now: a match that was broken off still names those of its last moment. */
  readonly canAct = computed(
    () =>
      this.view.value?.status === "TABLE_STATUS_PLAYING" &&
      this.seats.value?.isOut !== true &&
      this.#isConnected.value &&
      this.#pending.value === null &&
      this.told.value === null &&
      this.#claimed.value === this.#device,
  );
  /** Whether another window or device plays for this seat. */
  readonly isElsewhere = computed(
    () =>
      this.view.value?.status === "TABLE_STATUS_PLAYING" &&
      this.#claimed.value !== "" &&
      this.#claimed.value !== this.#device,
  );

  /** Whether the table plays for this seat, because nobody answered or one has left: who claims it is back. */
  readonly isAway = computed(() => {
    const view = this.view.value;
    const mine = view?.yourSeat === undefined ? undefined : view.seats[view.yourSeat];
    return view?.status === "TABLE_STATUS_PLAYING" && mine?.absent === true && !mine.eliminated;
  });

  readonly #session: ReadonlySignal<Session | null>;
  readonly #connection: Connection;
  readonly #onEnd: () => void;
  readonly #onLeft: () => void;
  readonly #serverClock = new ServerClock();
  readonly #device = deviceId();
  readonly #isConnected = signal(false);
  readonly #pending = signal<{ commandId: string; version: number | null } | null>(null);
  readonly #claimed = computed(() => {
    const view = this.view.value;
    return view?.yourSeat === undefined ? "" : (view.seats[view.yourSeat]?.claim ?? "");
  });
  readonly #ticking: ReturnType<typeof setInterval>;
  #queue: TableUpdate[] = [];
  #isShowing = false;
  #isStopped = false;
  #isLeaving = false;
  #lineId = 0;

  constructor({ tableId, session, connection, onEnd, onLeft }: MatchParts) {
    this.tableId = tableId;
    this.#session = session;
    this.#connection = connection;
    this.#onEnd = onEnd;
    this.#onLeft = onLeft;
    this.#isConnected.value = connection.isConnected;
    this.#ticking = setInterval(() => this.#tick(), CLOCK_EVERY_MS);
  }

  /** Begins to follow the table. */
  start(): void {
    this.#connection.follow(this.tableId);
  }

  /** Ends it here; the match itself goes on. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#ticking);
    this.#queue = [];
    this.#connection.unfollow();
  }

  /** Takes an update, to be shown when those before it have been. */
  update(update: TableUpdate): void {
    this.#serverClock.observe(update.serverTime ?? "");
    const game = update.view === undefined ? null : gameOf(update.view);
    if (game !== null) keepUpdate(update, game.fairness.see);
    this.#queue.push(update);
    if (!this.#isShowing) void this.#showAll();
  }

  /** The connection is back. */
  connected(serverTime: string): void {
    this.#serverClock.restart(serverTime);
    this.#isConnected.value = true;
  }

  /** The connection was lost: moves wait for it. */
  disconnected(): void {
    this.#isConnected.value = false;
  }

  /** A command was decided. */
  answered(commandId: string, outcome: CommandOutcome): void {
    if (commandId !== this.#pending.value?.commandId) return;
    if (outcome.refused !== undefined) {
      this.#pending.value = null;
      // Whom the table does not let leave has no part in the match any more.
      if (this.#isLeaving && !this.isOver.value) this.#onLeft();
      else this.#refuse(textOf(outcome.refused));
    } else {
      this.#pending.value = { commandId, version: outcome.accepted?.version ?? 0 };
      this.#settle();
    }
  }

  /** A command could not be brought to the table. */
  failed(commandId: string, error: ProtocolError): void {
    if (commandId !== this.#pending.value?.commandId) return;
    this.#pending.value = null;
    this.#isLeaving = false;
    this.#refuse(textOf(error));
  }

  /** Sends a move, one at a time. */
  play(action: Action): void {
    if (this.#pending.value !== null) return;
    const commandId = crypto.randomUUID();
    this.#pending.value = { commandId, version: null };
    this.refusal.value = "";
    this.#connection.submit({ commandId, tableId: this.tableId, claim: this.#device, ...action });
  }

  /** Leaves the match on purpose; false where there is no seat to leave or no way to say so. */
  leave(): boolean {
    if (!this.hasSeat || !this.#connection.isConnected) return false;
    this.#pending.value = null;
    this.#isLeaving = true;
    this.play({ leave: {} });
    return true;
  }

  /** Takes up the seat from this window: the others then only watch. */
  claim(): void {
    const commandId = crypto.randomUUID();
    this.#connection.submit({ commandId, tableId: this.tableId, claim: this.#device, claimSeat: {} });
  }

  /** Whether this person plays here; who only watches has nothing to abandon, nor who has done so already. */
  get hasSeat(): boolean {
    const mine = this.view.value?.yourSeat;
    return mine !== undefined && this.view.value?.seats[mine]?.absent !== true;
  }

  async #showAll(): Promise<void> {
    this.#isShowing = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await this.#show(next);
    }
    this.#isShowing = false;
    if (this.view.value?.status === "TABLE_STATUS_ENDED" && !this.isOver.value && !this.#isStopped) {
      this.isOver.value = true;
      this.#onEnd();
    }
  }

  async #show(update: TableUpdate): Promise<void> {
    const { view } = update;
    if (view === undefined) return;
    const before = this.view.value;
    await this.#learnNames(view);
    if (this.#isStopped) return;
    this.game.value ??= gameOf(view);
    if (before === null) this.#arrive(view);
    this.events.value = [...this.events.value, ...update.events].slice(-MOST_EVENTS);
    const shown = !update.isResync && before !== null;
    const interludes = shown ? (this.game.value?.interludes(before, update.events) ?? []) : [];
    // What comes after an interlude is told after it: the words never run ahead of the table.
    for (const event of update.events) {
      this.#tell(event, view);
      for (const one of interludes.filter((each) => each.event === event)) await this.#linger(one);
    }
    if (this.#isStopped) return;
    batch(() => {
      this.told.value = null;
      this.view.value = view;
      this.#settle();
    });
    this.#tick();
  }

  async #linger({ view, event, pauseMs }: Interlude): Promise<void> {
    if (this.#isStopped) return;
    batch(() => {
      this.view.value = view;
      this.told.value = this.#sentence(event, view);
    });
    this.#tick();
    await this.#pause(pauseMs);
  }

  #arrive(view: TableView): void {
    const w = words.value.table;
    const seats = new Seats(view, this.names.value);
    const where = this.game.value?.whereItStands(view, seats) ?? "";
    this.#log(`${view.yourSeat === undefined ? w.watching : w.seated} ${where}`.trim());
    const isPlaying = view.status === "TABLE_STATUS_PLAYING";
    // Whoever opens the table means to play from here.
    if (isPlaying && view.yourSeat !== undefined && view.seats[view.yourSeat]?.claim !== this.#device) {
      this.claim();
    }
  }

  #tell(event: TableEvent, view: TableView): void {
    const sentence = this.#sentence(event, view);
    if (sentence !== null) this.#log(sentence);
    const said = this.game.value?.speech(event);
    if (said) this.#say(...said);
  }

  #sentence(event: TableEvent, view: TableView): string | null {
    const seats = new Seats(view, this.names.value);
    return this.game.value?.sentence(event, view, seats) ?? platformSentence(event, seats);
  }

  #say(seat: number, said: string): void {
    this.speech.value = new Map(this.speech.value).set(seat, said);
    setTimeout(() => {
      if (this.speech.value.get(seat) !== said) return;
      const rest = new Map(this.speech.value);
      rest.delete(seat);
      this.speech.value = rest;
    }, SPEECH_MS);
  }

  async #learnNames(view: TableView): Promise<void> {
    const session = this.#session.value;
    const known = this.names.value;
    const unknown = view.seats.map((seat) => seat.playerId).filter((id) => id !== "" && !known.has(id));
    if (unknown.length === 0 || session === null) return;
    const names = new Map(known).set(session.playerId, session.name);
    const others = unknown.filter((id) => id !== session.playerId);
    if (others.length > 0) {
      try {
        for (const [id, name] of await playerNames(session.token, others)) names.set(id, name);
      } catch {
        for (const id of others) names.set(id, words.value.table.player); // A name is not worth waiting for.
      }
    }
    this.names.value = names;
  }

  #pause(ms: number): Promise<void> {
    const waiting = this.#queue.length;
    if (settings.isHurried.value || waiting > WAITING_UPDATES) return Promise.resolve();
    return new Promise((resolve) => setTimeout(resolve, waiting > 2 ? ms / 2 : ms));
  }

  #settle(): void {
    const version = this.#pending.value?.version;
    if (version === undefined || version === null) return;
    if ((this.view.value?.version ?? 0) < version) return;
    this.#pending.value = null;
    // Where others play on there is no end to wait for.
    if (this.#isLeaving && this.view.value?.status === "TABLE_STATUS_PLAYING") this.#onLeft();
  }

  #refuse(text: string): void {
    this.refusal.value = text;
    this.#log(text);
  }

  #log(text: string): void {
    this.#lineId += 1;
    this.lines.value = [...this.lines.value, { id: this.#lineId, text: capital(text) }].slice(-LOG_LINES);
  }

  #tick(): void {
    const clock = this.view.value?.clock;
    const leftMs = clock?.dueAt === undefined ? null : this.#serverClock.until(clock.dueAt);
    if (clock?.dueAt === undefined || clock.startedAt === undefined || leftMs === null) {
      this.clock.value = null;
      return;
    }
    this.clock.value = { leftMs, wholeMs: instant(clock.dueAt) - instant(clock.startedAt) };
  }
}
