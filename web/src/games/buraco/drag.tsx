// Cards dragged with a finger or a mouse, to a meld, to the lixo, or to where new melds lie.

import { useSignal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Card, cardKey } from "../../cards/cards.ts";
import { Slip } from "../../cards/slip.tsx";

const STARTS_AFTER_PX = 9;

export interface Dragged {
  readonly cards: readonly Card[];
  readonly x: number;
  readonly y: number;
  /** What lies under the finger, as its `data-drop` says; empty for nothing. */
  readonly over: string;
}

export interface Drag {
  readonly dragged: ReadonlySignal<Dragged | null>;
  /** A finger or button went down on a card: these go with it if it moves. */
  readonly begin: (event: PointerEvent, cards: readonly Card[]) => void;
  /** Whether the click that comes now only ended a drag. */
  readonly swallowsClick: () => boolean;
}

/** Calls `drop` with the cards and the `data-drop` of what they were let go on. */
export function useDrag(drop: (cards: readonly Card[], target: string) => void): Drag {
  const dragged = useSignal<Dragged | null>(null);
  const from = useRef<{ cards: readonly Card[]; x: number; y: number } | null>(null);
  const hasDragged = useRef(false);
  const dropping = useRef(drop);
  dropping.current = drop;
  useEffect(() => {
    const move = ({ clientX: x, clientY: y }: PointerEvent): void => {
      const start = from.current;
      if (start === null) return;
      if (dragged.value === null && Math.hypot(x - start.x, y - start.y) < STARTS_AFTER_PX) return;
      hasDragged.current = true;
      dragged.value = { cards: start.cards, x, y, over: targetAt(x, y) };
    };
    const end = (event: PointerEvent): void => {
      const held = dragged.value;
      from.current = null;
      dragged.value = null;
      // The click that ends a drag comes before this; one with the keyboard later is meant.
      setTimeout(() => (hasDragged.current = false));
      if (held === null || event.type === "pointercancel") return;
      const target = targetAt(event.clientX, event.clientY);
      if (target !== "") dropping.current(held.cards, target);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  }, [dragged]);
  return {
    dragged,
    begin: (event, cards) => {
      if (event.button !== 0) return;
      hasDragged.current = false;
      from.current = { cards, x: event.clientX, y: event.clientY };
      // A finger's events would otherwise all go to the card that it went down on.
      const target = event.target as Element;
      if (target.hasPointerCapture?.(event.pointerId)) target.releasePointerCapture(event.pointerId);
    },
    swallowsClick: () => {
      const swallows = hasDragged.current;
      hasDragged.current = false;
      return swallows;
    },
  };
}

/** The dragged cards under the finger. */
export function Ghost({ drag }: { drag: Drag }) {
  const held = drag.dragged.value;
  if (held === null) return null;
  return (
    <span
      class="ghost"
      aria-hidden="true"
      style={{ transform: `translate(${held.x}px, ${held.y}px) translate(-50%, -115%)` }}
    >
      {held.cards.map((card) => (
        <Slip key={cardKey(card)} card={card} />
      ))}
    </span>
  );
}

function targetAt(x: number, y: number): string {
  const target = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop]");
  return target?.dataset["drop"] ?? "";
}
