// Who sits where, from one's own place: place 0 is mine (or seat 0's for who watches), the others follow in order of play.

import type { TableView } from "../api/generated/table.ts";
import { words } from "../i18n/index.ts";
import { listed } from "../i18n/language.ts";

export class Seats {
  readonly count: number;
  /** Whether one of the seats is mine. */
  readonly isMineKnown: boolean;
  /** My seat; seat 0 for who watches. */
  readonly mine: number;
  readonly #view: TableView;
  readonly #names: ReadonlyMap<string, string>;

  constructor(view: TableView, names: ReadonlyMap<string, string>) {
    this.#view = view;
    this.#names = names;
    this.count = view.seats.length;
    this.isMineKnown = view.yourSeat !== undefined;
    this.mine = view.yourSeat ?? 0;
  }

  /** The seat at a place. */
  at(place: number): number {
    return (this.mine + place) % this.count;
  }

  /** The place of a seat. */
  placeOf(seat: number): number {
    return (seat - this.mine + this.count) % this.count;
  }

  /** Whether the seat is mine. */
  isMe(seat: number): boolean {
    return this.isMineKnown && seat === this.mine;
  }

  /** Whether I am eliminated: a robot plays on for my seat. */
  get isOut(): boolean {
    return this.isMineKnown && this.#view.seats[this.mine]?.eliminated === true;
  }

  /** Whether a robot sits there. */
  isRobot(seat: number): boolean {
    return this.#view.seats[seat]?.kind === "SEAT_KIND_ROBOT";
  }

  /** A seat's name; "Você" for my own. */
  who(seat: number): string {
    if (this.isMe(seat)) return words.value.table.you;
    return this.name(seat);
  }

  /** A seat's name, my own too. */
  name(seat: number): string {
    const w = words.value.table;
    if (this.isRobot(seat)) return w.robots[this.placeOf(seat) % w.robots.length] ?? w.player;
    return this.#names.get(this.#view.seats[seat]?.playerId ?? "") ?? w.player;
  }

  /** A name inside a sentence: only "Você" changes. */
  inside(seat: number): string {
    return this.isMe(seat) ? words.value.table.youInside : this.who(seat);
  }

  /** Whether a side is ours, where sides alternate. */
  isOurs(side: number): boolean {
    return side === this.mine % 2;
  }

  /** Who plays for a side, as a list in a sentence, where sides alternate: for who watches no side is "us". */
  sideNames(side: number): string {
    const members = Array.from({ length: this.count }, (_, place) => this.at(place));
    return listed(members.filter((seat) => seat % 2 === side).map((seat) => this.who(seat)));
  }

  /** The score of two sides from ours: [ours, theirs]. */
  scoreOf(score: readonly number[]): readonly [number, number] {
    const [first = 0, second = 0] = score;
    return this.isOurs(0) ? [first, second] : [second, first];
  }
}
