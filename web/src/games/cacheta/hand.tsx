// One's own cards: a tap picks one up, a drag or the arrows put it elsewhere, and they can be put in order at once.

import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Face } from "../../cards/card.tsx";
import { type Card, cardKey } from "../../cards/cards.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { type Arrangement, arranged, moved } from "./arrangement.ts";
import { type CachetaTable, drawnCard, isWild, myCards, named } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

/** What a person does with the hand, which nobody else sees. */
export interface Holding {
  readonly arrangement: Signal<Arrangement>;
  /** The key of the card that was picked up. */
  readonly chosen: Signal<string | null>;
}

/** One's hand as it is arranged. */
export function heldCards(table: CachetaTable, { arrangement }: Holding): readonly Card[] {
  return arranged(myCards(table), arrangement.value);
}

/** Picks a card up, or lays the picked one back. */
export function pick(card: Card, { chosen }: Holding): void {
  chosen.value = chosen.value === cardKey(card) ? null : cardKey(card);
}

/** Moves the picked card by so many places; false where none is picked. */
export function shift(table: CachetaTable, holding: Holding, by: number): boolean {
  const cards = heldCards(table, holding);
  const at = cards.findIndex((card) => cardKey(card) === holding.chosen.value);
  if (at < 0) return false;
  holding.arrangement.value = moved(cards, cardKey(cards[at] as Card), at + by);
  return true;
}

/** Puts the hand in order: by suit, or by rank where it is so already. */
export function reorder({ arrangement }: Holding): void {
  arrangement.value = arrangement.value === "suit" ? "rank" : "suit";
}

const DRAG_FROM_PX = 8;

export function Hand({ table, holding }: { readonly table: CachetaTable; readonly holding: Holding }) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const drag = useDrag(table, holding);
  const words = cachetaWords.value.board;
  const cards = heldCards(table, holding);
  const drawn = drawnCard(table);
  return (
    <div
      class="hand spread some"
      style={{ "--count": cards.length }}
      id="hand"
      role="group"
      aria-label={words.myCards}
      tabIndex={-1}
      ref={group}
      {...drag}
    >
      {cards.map((card) => {
        const key = cardKey(card);
        const name = named(table.cacheta, card);
        const isChosen = holding.chosen.value === key;
        return (
          <button
            key={key}
            type="button"
            class={`hand-card${isChosen ? " chosen" : ""}${key === drawn ? " drawn" : ""}`}
            aria-label={key === drawn ? words.drawn(name) : name}
            aria-pressed={isChosen}
            data-card={key}
            onClick={() => pick(card, holding)}
          >
            <Face card={card} isMarked={isWild(table.cacheta, card)} />
          </button>
        );
      })}
    </div>
  );
}

/** A card that is dragged goes where the pointer is; what is let go before it has moved is a tap. */
function useDrag(table: CachetaTable, holding: Holding) {
  const dragged = useRef<{ key: string; fromX: number; isMoving: boolean } | null>(null);
  const end = (): void => {
    dragged.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      const key = (event.target as Element).closest<HTMLElement>("[data-card]")?.dataset["card"];
      if (key !== undefined && event.isPrimary)
        dragged.current = { key, fromX: event.clientX, isMoving: false };
    },
    onPointerMove: (event: PointerEvent): void => {
      const now = dragged.current;
      const root = event.currentTarget as HTMLElement;
      if (now === null) return;
      if (!now.isMoving) {
        if (Math.abs(event.clientX - now.fromX) < DRAG_FROM_PX) return;
        now.isMoving = true;
        holding.chosen.value = now.key;
        // From now on no card is tapped by this pointer.
        root.setPointerCapture(event.pointerId);
      }
      const others = [...root.querySelectorAll<HTMLElement>("[data-card]")].filter(
        (card) => card.dataset["card"] !== now.key,
      );
      const to = others.filter(
        (card) => card.getBoundingClientRect().left < event.clientX - card.offsetWidth / 4,
      );
      const cards = heldCards(table, holding);
      if (cardKey(cards[to.length] as Card) !== now.key) {
        holding.arrangement.value = moved(cards, now.key, to.length);
      }
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
