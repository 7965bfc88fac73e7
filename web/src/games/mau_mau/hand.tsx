// One's own cards, those that fit raised; a Jack asks for its suit before it goes.

import { type Signal, signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Move } from "../../api/generated/games_mau_mau.ts";
import { Face } from "../../cards/card.tsx";
import { type Card, cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { type Order, ordered } from "../../cards/order.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { load, save } from "../../session/storage.ts";
import type { Plays } from "./moves.ts";
import { type MauMauTable, myCards } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

/** What one is about to say or choose. */
export interface Intent {
  /** The key of the card whose suit is to be named. */
  readonly jack: Signal<string | null>;
  readonly isCalling: Signal<boolean>;
}

export const order = signal<Order>(load<Order>("mau-mau.order") ?? "suit");

export function reorder(): void {
  order.value = order.value === "suit" ? "rank" : "suit";
  save("mau-mau.order", order.value);
}

export interface HeldCard {
  readonly key: string;
  readonly card: Card;
  readonly plays: Plays | undefined;
}

/** One's hand in the order that was chosen, each card with how it may be played. */
export function heldCards(table: MauMauTable, { isCalling }: Intent): readonly HeldCard[] {
  const { plays, calledPlays } = table.offer;
  const offered = isCalling.value ? calledPlays : plays;
  const twins = new Map<string, number>();
  return ordered(myCards(table), order.value).map((card) => {
    const face = cardKey(card);
    const twin = twins.get(face) ?? 0;
    twins.set(face, twin + 1);
    return { key: `${face} ${twin}`, card, plays: offered.get(face) };
  });
}

/** Plays a card, or asks for its suit first. */
export function choose({ card, plays }: HeldCard, { match }: MauMauTable, intent: Intent): void {
  if (plays === undefined) return;
  if (plays.size > 1) {
    intent.jack.value = cardKey(card);
    return;
  }
  const [move] = plays.values();
  if (move !== undefined) send(move, match, intent);
}

export function send(move: Move, match: MauMauTable["match"], intent: Intent): void {
  intent.jack.value = null;
  intent.isCalling.value = false;
  match.play({ mauMau: move });
}

const FEW = 5;
/** What one row of a phone holds. */
const MANY = 12;

export function Hand({ table, intent }: { readonly table: MauMauTable; readonly intent: Intent }) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const w = mauMauWords.value.board;
  const held = heldCards(table, intent);
  const size = held.length <= FEW ? "few" : held.length <= MANY ? "some" : "many";
  return (
    <div
      class={`hand spread ${size}`}
      style={{ "--count": held.length }}
      id="hand"
      role="group"
      aria-label={w.myCards}
      tabIndex={-1}
      ref={group}
    >
      {held.map((one) => {
        const isChosen = intent.jack.value === cardKey(one.card);
        const name = cardWords(one.card);
        return (
          <button
            key={one.key}
            type="button"
            class={`hand-card${isChosen ? " chosen" : ""}`}
            aria-label={one.plays === undefined ? name : w.fits(name)}
            aria-disabled={one.plays === undefined}
            onClick={() => choose(one, table, intent)}
          >
            <Face card={one.card} />
          </button>
        );
      })}
    </div>
  );
}
