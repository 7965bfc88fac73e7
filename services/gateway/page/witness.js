// What this browser itself saw of a match while it ran: kept here, so that the check needs nobody's word for it.

import { cardCode } from "./cards.js";
import { toHex } from "./shuffle.js";
import { load, save } from "./storage.js";

const MOST_TABLES = 12;

export class Witness {
  #tableId;
  #seen;

  constructor(tableId) {
    this.#tableId = tableId;
    this.#seen = load(nameOf(tableId)) ?? { hands: {} };
  }

  /** `{promised, added, commitment, entropy, seat, hands}`; what was not seen is missing. */
  get seen() {
    return this.#seen;
  }

  /** Keeps what was there before the table was: the promised commitment (hex) and what we added to the shuffle (base64). */
  promised(commitment, added) {
    this.#seen.promised = commitment;
    this.#seen.added = hexOf(added);
    this.#keep();
  }

  /** Keeps what an update of a running match shows; what is shown after the end proves nothing. */
  see(update) {
    const { view, events } = update;
    if (!view?.truco) return;
    for (const { truco } of events) {
      if (truco?.handDealt) this.#hand(truco.handDealt.hand, { vira: cardCode(truco.handDealt.vira), dealer: truco.handDealt.dealer });
      if (truco?.cardPlayed) this.#play(truco.cardPlayed.hand, truco.cardPlayed);
    }
    if (view.status === "TABLE_STATUS_PLAYING") this.#look(view);
    this.#keep();
  }

  #look(view) {
    const { truco } = view;
    this.#seen.commitment ??= hexOf(view.commitment);
    this.#seen.entropy ??= view.entropy.map(hexOf);
    if (view.yourSeat !== undefined) this.#seen.seat = view.yourSeat;
    this.#hand(truco.hand, { vira: cardCode(truco.vira), dealer: truco.dealer });
    for (const hand of truco.hands) this.#cards(truco.hand, hand, view.yourSeat);
    for (const trick of truco.tricks) for (const card of trick.cards) this.#play(truco.hand, card);
  }

  #hand(number, facts) {
    this.#seen.hands[number] = { cards: {}, plays: {}, ...this.#seen.hands[number], ...facts };
  }

  /** The faces of a seat's hand; of the partner's only that they were shown, for their places are not. */
  #cards(number, { seat, cards, positions }, mine) {
    if (cards.length === 0) return;
    const known = (this.#seen.hands[number].cards[seat] ??= {});
    cards.forEach((card, index) => {
      known[cardCode(card)] = seat === mine ? positions[index] : null;
    });
  }

  #play(number, { seat, card, covered }) {
    if (!card || covered || !this.#seen.hands[number]) return;
    this.#seen.hands[number].plays[cardCode(card)] = seat;
  }

  #keep() {
    save(nameOf(this.#tableId), this.#seen);
    const tables = (load("witnesses") ?? []).filter((tableId) => tableId !== this.#tableId);
    for (const old of tables.splice(MOST_TABLES - 1)) save(nameOf(old), null);
    save("witnesses", [this.#tableId, ...tables]);
  }
}

function nameOf(tableId) {
  return `witness.${tableId}`;
}

function hexOf(base64) {
  return toHex(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
