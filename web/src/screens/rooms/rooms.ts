// The rooms: which one, which game, at which table; and the wait until a match begins.

import { computed, effect, signal } from "@preact/signals";
import { ApiError } from "../../api/ask.ts";
import * as api from "../../api/rooms.ts";
import type { GameOffer, OpenTable, Place, Room, Wish } from "../../api/rooms.ts";
import { join, sessionOver } from "../../app/controller.ts";
import { Work } from "../../app/work.ts";
import { newEntropy } from "../../fairness/bytes.ts";
import { gameOfPreset } from "../../games/registry.ts";
import { words } from "../../i18n/index.ts";
import { train } from "../../play/training.ts";
import { mustSession } from "../../session/session.ts";
import { load, save } from "../../session/storage.ts";

const TABLES_EVERY_MS = 4000;
const TICK_MS = 1000;
const RETRY_MS = 2000;
const WAITING = new Set(["open_table", "queue", "starting"]);
/** The strengths that people sit with, where a game has them; the others are yardsticks. */
const PEOPLES_STRENGTHS = ["simple", "strong"];

interface Choice {
  readonly room: Room;
  readonly preset: string;
  readonly seats: number;
  readonly strength: string;
}

export class Rooms {
  readonly games = signal<readonly GameOffer[]>([]);
  readonly choice = signal<Choice>({
    ...{ room: "livre", preset: "", seats: 0, strength: "simple" },
    ...load<Partial<Choice>>("room"),
  });
  readonly place = signal<Place | null>(null);
  readonly tables = signal<readonly OpenTable[]>([]);
  /** Seconds since the wait began; null where nothing is waited for. */
  readonly waited = signal<number | null>(null);
  readonly work = new Work();
  readonly game = computed(() => this.games.value.find((one) => one.preset === this.choice.value.preset));
  readonly isWaiting = computed(() => WAITING.has(this.place.value?.kind ?? ""));
  readonly strengths = computed(() => {
    const all = this.game.value?.strengths ?? [];
    const known = all.filter((one) => PEOPLES_STRENGTHS.includes(one));
    return known.length > 0 ? known : all;
  });

  readonly #ended = new AbortController();
  #timers: ReturnType<typeof setInterval>[] = [];
  #hasWaited = false;

  /** Asks for the games and where the player is, and goes on asking until it is closed. */
  async open(): Promise<void> {
    await this.work.run(async () => {
      const games = await api.listGames(this.#token);
      // What has no table here is not offered.
      this.games.value = games.filter((game) => gameOfPreset(game.preset) !== null);
    });
    const [first] = this.games.value;
    if (this.#isClosed || first === undefined) return;
    this.choose({ preset: this.game.value?.preset ?? first.preset });
    this.#timers = [
      setInterval(() => void this.#refresh(), TABLES_EVERY_MS),
      setInterval(() => this.#tick(), TICK_MS),
    ];
    void this.#follow();
  }

  /** Asks no more. */
  close(): void {
    this.#ended.abort();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Takes a choice; what does not go with it is changed too. */
  choose(change: Partial<Choice>): void {
    const wanted = { ...this.choice.value, ...change };
    const game = this.games.value.find((one) => one.preset === wanted.preset);
    if (game === undefined) return;
    const room = game.rooms.includes(wanted.room) ? wanted.room : (game.rooms[0] ?? "livre");
    const seats = game.player_counts.includes(wanted.seats) ? wanted.seats : (game.player_counts[0] ?? 0);
    this.choice.value = { ...wanted, room, seats };
    const { strengths } = this;
    if (!strengths.value.includes(wanted.strength)) {
      this.choice.value = { ...this.choice.value, strength: strengths.value[0] ?? "" };
    }
    save("room", this.choice.value);
    this.tables.value = [];
    this.work.error.value = "";
    void this.#refresh();
  }

  /** Goes to play in the chosen room. */
  play(): void {
    const { room } = this.choice.value;
    void this.#do(async () => {
      if (room === "treino") {
        this.#hasWaited = true;
        this.#take(await train(this.choice.value));
      } else if (room === "ranqueada") this.#take(await api.joinQueue(this.#token, this.#wish()));
      else this.#take(await api.quickPlay(this.#token, this.#wish()));
    });
  }

  /** Opens a table for so many. */
  openTable(seats: number): void {
    void this.#do(async () => this.#take(await api.openTable(this.#token, this.#wish(), seats)));
  }

  /** Sits down at an open table. */
  sit(tableId: string, seat: number): void {
    void this.#do(async () => this.#take(await api.sitDown(this.#token, tableId, this.#wish(), seat)));
  }

  /** Waits no longer. */
  cancel(): void {
    const place = this.place.value;
    const commandId = crypto.randomUUID();
    void this.#do(async () => {
      if (place?.kind === "queue") this.#take(await api.leaveQueue(this.#token, commandId));
      else if (place?.table_id) this.#take(await api.standUp(this.#token, place.table_id, commandId));
    });
  }

  /** Back to the match that runs. */
  toTable(): void {
    if (this.place.value?.table_id) join(this.place.value.table_id);
  }

  get #token(): string {
    return mustSession().token;
  }

  get #isClosed(): boolean {
    return this.#ended.signal.aborted;
  }

  #wish(): Wish & { readonly entropy: string } {
    this.#hasWaited = true;
    const { preset } = this.choice.value;
    return { command_id: crypto.randomUUID(), preset, entropy: newEntropy() };
  }

  /** What a button asks for. Who is somewhere already is shown where. */
  #do(work: () => Promise<void>): Promise<void> {
    return this.work.run(async () => {
      try {
        await work();
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        if (failure.status === 401) sessionOver();
        else throw failure;
      }
    });
  }

  /** Asks where the player is until the rooms are closed. */
  async #follow(): Promise<void> {
    const { signal: ended } = this.#ended;
    let version: number | null = null;
    while (!ended.aborted) {
      try {
        const place: Place =
          version === null
            ? await api.getPlace(this.#token)
            : await api.nextPlace(this.#token, version, ended);
        if (ended.aborted) return;
        version = place.version;
        this.#take(place);
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        if (ended.aborted) return;
        if (failure.status === 401) {
          sessionOver();
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (0.5 + Math.random())));
      }
    }
  }

  #take(place: Place): void {
    const known = this.place.value;
    if (this.#isClosed || (known !== null && place.version < known.version)) return; // Answers may overtake each other.
    const wasWaiting = this.isWaiting.value;
    this.place.value = place;
    this.#hasWaited ||= this.isWaiting.value;
    if (place.kind === "playing" && this.#hasWaited && place.table_id !== null) {
      join(place.table_id);
      return;
    }
    if (place.kind === "idle" && wasWaiting && place.last_refusal !== null) {
      this.work.error.value = words.value.rooms.failed;
    }
    this.#tick();
    if (wasWaiting && !this.isWaiting.value) void this.#refresh();
  }

  async #refresh(): Promise<void> {
    const choice = this.choice.value;
    if (choice.room !== "livre" || this.isWaiting.value || this.#isClosed) return;
    try {
      const tables = await api.listTables(this.#token, choice.preset);
      if (choice === this.choice.value && !this.#isClosed) this.tables.value = tables;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure; // The list comes again in a moment.
    }
  }

  #tick(): void {
    const since = this.isWaiting.value ? this.place.value?.since : null;
    this.waited.value = since ? Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1000)) : null;
  }
}

/** Runs work whenever the chosen game or room is another one; gives how to stop, after which nothing is current. */
export function onChoice(rooms: Rooms, work: (choice: Choice, isCurrent: () => boolean) => void): () => void {
  let isStopped = false;
  const stop = effect(() => {
    const choice = rooms.choice.value;
    if (rooms.game.value === undefined) return; // Nothing is chosen before the games are known.
    work(choice, () => !isStopped && choice === rooms.choice.peek());
  });
  return () => {
    isStopped = true;
    stop();
  };
}
