// The cards of one's hand that are chosen, and how the hand is ordered.

import { type ReadonlySignal, signal } from "@preact/signals";
import { type Card, cardKey } from "../../cards/cards.ts";
import { load, save } from "../../session/storage.ts";
import type { Order } from "./order.ts";

export class Choice {
  readonly keys: ReadonlySignal<ReadonlySet<string>>;
  readonly #keys = signal<ReadonlySet<string>>(new Set());

  constructor() {
    this.keys = this.#keys;
  }

  /** Those of these cards that are chosen. */
  of(hand: readonly Card[]): readonly Card[] {
    return hand.filter((card) => this.#keys.value.has(cardKey(card)));
  }

  /** Chooses a card, or puts it back. */
  toggle(card: Card): void {
    const keys = new Set(this.#keys.value);
    if (!keys.delete(cardKey(card))) keys.add(cardKey(card));
    this.#keys.value = keys;
  }

  /** Chooses these cards and no others. */
  only(cards: readonly Card[]): void {
    this.#keys.value = new Set(cards.map(cardKey));
  }
}

const chosenOrder = signal<Order>(load<Order>("buraco.order") === "rank" ? "rank" : "suit");

/** How one likes to see one's cards: kept for every match. */
export const order: ReadonlySignal<Order> = chosenOrder;

export function orderBy(next: Order): void {
  chosenOrder.value = next;
  save("buraco.order", next);
}
