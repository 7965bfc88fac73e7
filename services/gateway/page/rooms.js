// The rooms: which one, which game, at which table; and the wait until a match begins.

import { ApiError, practiceCommitment } from "./api.js";
import { byId, el, replace } from "./dom.js";
import { showLeague } from "./league_screen.js";
import * as calls from "./rooms_calls.js";
import { load, save } from "./storage.js";
import { Witness } from "./witness.js";

const TABLES_EVERY_MS = 4000;
const TICK_MS = 1000;
const RETRY_MS = 2000;
const PLAY = { livre: "Jogar agora", treino: "Treinar", ranqueada: "Entrar na fila" };
const WAITING = new Set(["open_table", "queue", "starting"]);
const FAILED = "A partida não pôde começar. Tente de novo.";

export class Rooms {
  #session = null;
  #onTable;
  #onBack;
  #onSignedOut;
  #games = [];
  #place = null;
  #hasWaited = false;
  #isBusy = false;
  #watch = null;
  #timers = [];
  #chosen = 0;

  /** `onTable(tableId)` takes the player to a match, `onBack()` to the start, `onSignedOut()` ends a session that is over. */
  constructor({ onTable, onBack, onSignedOut }) {
    this.#onTable = onTable;
    this.#onBack = onBack;
    this.#onSignedOut = onSignedOut;
    byId("rooms-back").onclick = () => this.#onBack();
    byId("rooms-play").onclick = () => this.#do(() => this.#play());
    byId("rooms-cancel").onclick = () => this.#do(() => this.#cancel());
    byId("rooms-return").onclick = () => this.#onTable(this.#place.table_id);
    byId("rooms-game").onchange = () => this.#choose();
    for (const radio of radios()) radio.onchange = () => this.#choose();
  }

  get isOpen() {
    return this.#watch !== null;
  }

  /** Shows the rooms to the player of this session. */
  async open(session) {
    this.close();
    this.#session = session;
    this.#place = null;
    this.#hasWaited = false;
    const watch = (this.#watch = new AbortController());
    byId("rooms").hidden = false;
    byId("rooms-error").textContent = "";
    this.#draw();
    byId("rooms-title").focus();
    await this.#do(async () => {
      this.#games = await calls.listGames(session.token);
      const { room, preset } = load("room") ?? {};
      for (const radio of radios()) radio.checked = radio.value === (room ?? "livre");
      byId("rooms-game").replaceChildren(...this.#games.map((game) => el("option", { value: game.preset }, gameName(game.preset))));
      if (this.#games.some((game) => game.preset === preset)) byId("rooms-game").value = preset;
    });
    if (watch.signal.aborted || this.#games.length === 0) return;
    this.#timers = [setInterval(() => this.#refresh(), TABLES_EVERY_MS), setInterval(() => this.#tick(), TICK_MS)];
    this.#choose();
    this.#follow(watch.signal);
  }

  /** Hides the rooms and asks no more. */
  close() {
    this.#watch?.abort();
    this.#watch = null;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    byId("rooms").hidden = true;
  }

  get #room() {
    return radios().find((radio) => radio.checked)?.value ?? "livre";
  }

  get #preset() {
    return byId("rooms-game").value;
  }

  /** What the room and the game that are chosen now mean: access, tables, the Liga. */
  #choose() {
    const game = this.#games.find((one) => one.preset === this.#preset);
    for (const radio of radios()) {
      radio.disabled = !game.rooms.includes(radio.value);
      if (radio.disabled && radio.checked) radios()[0].checked = true;
    }
    save("room", { room: this.#room, preset: this.#preset });
    const chosen = (this.#chosen += 1);
    const isCurrent = () => chosen === this.#chosen && this.isOpen;
    byId("rooms-tables").replaceChildren();
    byId("rooms-error").textContent = "";
    this.#draw();
    this.#refresh();
    this.#showAccess(isCurrent);
    if (this.#room === "ranqueada") showLeague(this.#session.token, this.#preset, isCurrent);
    const opens = game.player_counts.map((seats) =>
      el(
        "button",
        { type: "button", onclick: () => this.#do(() => this.#open(seats)) },
        game.player_counts.length === 1 ? "Abrir uma mesa" : `Abrir mesa de ${seats}`,
      ),
    );
    byId("rooms-opens").replaceChildren(...opens);
  }

  async #showAccess(isCurrent) {
    const [preset, room] = [this.#preset, this.#room];
    try {
      const access = await calls.getAccess(this.#session.token, preset, room);
      const account = await calls.getAccount(this.#session.token).catch(() => null); // The reason is enough.
      if (!isCurrent()) return;
      byId("rooms-access").textContent = `${access.is_allowed ? "Liberado." : "Não liberado."} ${access.text}${left(access)}`;
      byId("rooms-account").textContent = accountText(account);
      byId("rooms-access-box").classList.toggle("refused", !access.is_allowed);
      byId("rooms-play").disabled = !access.is_allowed;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isCurrent()) byId("rooms-access").textContent = error.message;
    }
  }

  async #refresh() {
    if (this.#room !== "livre" || this.#isWaiting) return;
    const chosen = this.#chosen;
    try {
      const tables = await calls.listTables(this.#session.token, this.#preset);
      if (chosen !== this.#chosen || !this.isOpen) return;
      byId("rooms-none").hidden = tables.length > 0;
      replace(byId("rooms-tables"), ...tables.map((table, index) => this.#table(table, index + 1)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // The list comes again in a moment.
    }
  }

  #table(table, number) {
    const seats = table.seats.map((seat, index) =>
      seat
        ? el("li", { class: "taken", title: seat.name }, seat.name ?? "Jogador")
        : el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                "aria-label": `Sentar na mesa ${number}, lugar ${index + 1}`,
                "data-key": `${table.table_id} ${index}`,
                onclick: () => this.#do(() => this.#sit(table.table_id, index)),
              },
              "Sentar",
            ),
          ),
    );
    return el("li", { class: "open-table", "aria-label": `Mesa ${number}` }, el("ol", { class: "places" }, ...seats));
  }

  async #play() {
    if (this.#room === "treino") await this.#train();
    else if (this.#room === "ranqueada") this.#take(await calls.joinQueue(this.#session.token, this.#wish()));
    else this.#take(await calls.quickPlay(this.#session.token, this.#wish()));
  }

  async #open(seats) {
    this.#take(await calls.openTable(this.#session.token, { ...this.#wish(), seats }));
  }

  async #sit(tableId, seat) {
    const { preset, ...wish } = this.#wish();
    this.#take(await calls.sitDown(this.#session.token, tableId, { ...wish, seat }));
  }

  async #train() {
    const wish = this.#wish();
    // In this order: the server is bound before it knows what we add.
    const { commitment } = await practiceCommitment(this.#session.token, wish.command_id);
    const place = await calls.startTraining(this.#session.token, { ...wish, strength: "simple" });
    new Witness(place.table_id).promised(commitment, wish.entropy);
    this.#take(place);
  }

  async #cancel() {
    const { kind, table_id: tableId } = this.#place;
    const token = this.#session.token;
    const done = kind === "queue" ? calls.leaveQueue(token, crypto.randomUUID()) : calls.standUp(token, tableId, crypto.randomUUID());
    this.#take(await done);
    byId("rooms-play").focus();
  }

  #wish() {
    this.#hasWaited = true;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    return { command_id: crypto.randomUUID(), preset: this.#preset, entropy: btoa(String.fromCharCode(...bytes)) };
  }

  /** Asks where the player is until the rooms are closed. */
  async #follow(signal) {
    let version = null;
    while (!signal.aborted) {
      try {
        const place = await calls.getPlace(this.#session.token, version, signal);
        if (signal.aborted) return;
        version = place.version;
        this.#take(place);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (signal.aborted) return;
        if (error.status === 401) return this.#onSignedOut();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (0.5 + Math.random())));
      }
    }
  }

  get #isWaiting() {
    return WAITING.has(this.#place?.kind);
  }

  #take(place) {
    if (!this.isOpen || (this.#place && place.version < this.#place.version)) return; // Answers may overtake each other.
    const wasWaiting = this.#isWaiting;
    this.#place = place;
    this.#hasWaited ||= this.#isWaiting;
    if (place.kind === "playing" && this.#hasWaited) {
      this.#onTable(place.table_id);
      return;
    }
    if (place.kind === "idle" && wasWaiting && place.last_refusal) byId("rooms-error").textContent = FAILED;
    this.#draw();
    if (this.#isWaiting && !wasWaiting) byId("rooms-cancel").focus();
    if (wasWaiting && !this.#isWaiting) this.#refresh();
  }

  #draw() {
    const kind = this.#place?.kind ?? "idle";
    byId("rooms-choice").hidden = this.#isWaiting;
    byId("rooms-waiting").hidden = !this.#isWaiting;
    byId("rooms-back").disabled = this.#isWaiting;
    byId("rooms-running").hidden = kind !== "playing";
    byId("rooms-live").hidden = this.#room !== "livre";
    byId("rooms-league").hidden = this.#room !== "ranqueada";
    byId("rooms-play").textContent = PLAY[this.#room];
    byId("rooms-cancel").hidden = kind === "starting";
    byId("rooms-cancel").textContent = kind === "queue" ? "Sair da fila" : "Levantar da mesa";
    byId("rooms-state").textContent = stateText(this.#place);
    this.#tick();
  }

  #tick() {
    if (!this.#isWaiting || !this.#place.since) return;
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(this.#place.since)) / 1000));
    byId("rooms-since").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  /** Does what a button asks for, one thing at a time, and says in words why it failed. */
  async #do(work) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    byId("rooms-error").textContent = "";
    byId("rooms").setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) this.#onSignedOut();
      else byId("rooms-error").textContent = error.message;
    } finally {
      this.#isBusy = false;
      byId("rooms").removeAttribute("aria-busy");
    }
  }
}

function radios() {
  return [...document.querySelectorAll("input[name=room]")];
}

function gameName(preset) {
  const [game, house] = preset.split("@");
  const words = game.split("-").map((word) => word[0].toUpperCase() + word.slice(1));
  return house ? `${words.join(" ")}, regras da casa ${house}` : words.join(" ");
}

function stateText(place) {
  if (place?.kind === "queue") return `Na fila da Sala Ranqueada: ${gameName(place.preset)}. Procurando jogadores…`;
  if (place?.kind === "open_table") return `Seu lugar está guardado: ${gameName(place.preset)}. Esperando os outros…`;
  return place?.kind === "starting" ? "A partida vai começar…" : "";
}

function left({ matches_left: count }) {
  if (count === null) return "";
  return count === 1 ? " Resta 1 partida hoje." : ` Restam ${count} partidas hoje.`;
}

function accountText(account) {
  if (account === null) return "";
  if (account.passport) return `Passaporte até ${day(account.passport.valid_until)}.`;
  return Date.parse(account.trial_until) > Date.now() ? `Período de teste até ${day(account.trial_until)}.` : "Sem Passaporte.";
}

function day(time) {
  return new Date(time).toLocaleDateString("pt-BR");
}
