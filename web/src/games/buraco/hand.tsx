// One's own cards, in rows that stay legible with forty of them: each shows its corner, and all of them can be reached.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Face } from "../../cards/card.tsx";
import { type Card, cardKey, isSame } from "../../cards/cards.ts";
import { SuitSign } from "../../cards/chip.tsx";
import { suitName } from "../../cards/cards.ts";
import { cardWords, rankMark } from "../../cards/names.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { type Choice, order, orderBy } from "./choice.ts";
import type { Drag } from "./drag.tsx";
import { grouped } from "./order.ts";
import type { BuracoTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

/** On a phone the corner is all there is room for. */
const isNarrow = matchMedia("(max-width: 559px)");

/** Up to so many stand in two rows on a phone, which may be higher. */
const FEW = 22;

interface HandProps {
  readonly table: BuracoTable;
  readonly choice: Choice;
  readonly chosen: readonly Card[];
  /** The keys of the cards that came in this turn. */
  readonly arrived: ReadonlySet<string>;
  readonly drag: Drag;
}

export function Hand({ table, choice, chosen, arrived, drag }: HandProps) {
  const group = useRef<HTMLDivElement>(null);
  const at = useSignal(0);
  useKeptFocus(group);
  const { hand, buraco } = table;
  // With a move on its way the next card may be taken up already: what it may do is asked when it is let go.
  const isLive = table.legal !== null || table.match.isDeciding.value;
  const w = buracoWords.value.hand;
  const groups = grouped(hand, order.value);
  const cards = groups.flat();
  const starts = groups.map((_, index) => groups.slice(0, index).flat().length);
  const current = Math.min(at.value, cards.length - 1);
  const go = (event: KeyboardEvent): void => {
    const next = destination(event.key, current, starts, cards.length);
    if (next === null) return;
    event.preventDefault();
    at.value = next;
    group.current?.querySelectorAll<HTMLButtonElement>(".hand-card")[next]?.focus();
  };
  return (
    <div
      class={`hand${isLive ? " live" : ""}${cards.length > FEW ? "" : " few"}`}
      id="hand"
      role="group"
      aria-label={w.label}
      aria-describedby="hand-help"
      tabIndex={-1}
      ref={group}
      style={{ "--count": Math.max(cards.length, 1) }}
      onKeyDown={go}
    >
      {cards.map((card, index) => {
        const key = cardKey(card);
        const isChosen = chosen.some((one) => isSame(one, card));
        const isBarred = buraco.barred.some((one) => isSame(one, card));
        const isNew = arrived.has(key);
        const plain = cardWords(card);
        return (
          <button
            key={key}
            type="button"
            class={`hand-card${isChosen ? " chosen" : ""}${isNew ? " arrived" : ""}${isBarred ? " barred" : ""}`}
            aria-label={isBarred ? w.barred(plain) : isNew ? w.arrived(plain) : plain}
            aria-pressed={isChosen}
            tabIndex={index === current ? 0 : -1}
            onFocus={() => (at.value = index)}
            onPointerDown={(event) => {
              if (isLive) drag.begin(event, isChosen ? chosen : [card]);
            }}
            onClick={() => {
              if (!drag.swallowsClick()) choice.toggle(card);
            }}
          >
            {isNarrow.matches ? <BigCorner card={card} /> : <Face card={card} />}
          </button>
        );
      })}
    </div>
  );
}

/** How many there are and are chosen, and the two orders. */
export function HandBar({ table, chosen }: Pick<HandProps, "table" | "chosen">) {
  const w = buracoWords.value.hand;
  return (
    <div class="hand-bar">
      <span class="hand-count">
        {w.count(table.hand.length)}
        {chosen.length > 0 && <strong>, {w.chosen(chosen.length)}</strong>}
      </span>
      <span class="orders" role="group" aria-label={w.order}>
        {(["suit", "rank"] as const).map((one) => (
          <button
            key={one}
            type="button"
            class="quiet toggle"
            data-order={one}
            aria-pressed={order.value === one}
            onClick={() => orderBy(one)}
          >
            {one === "suit" ? w.bySuit : w.byRank}
          </button>
        ))}
      </span>
      <span class="unseen" id="hand-help">
        {w.help}
      </span>
    </div>
  );
}

function BigCorner({ card }: { card: Card }) {
  const suit = suitName(card.suit);
  return (
    <span class={`card corner suit-${suit ?? "none"}`} aria-hidden="true">
      <span class="corner-rank">{rankMark(card.rank)}</span>
      {suit !== null && <SuitSign suit={suit} />}
    </span>
  );
}

/** Where an arrow leads: left and right a card, up and down a group, Home and End the ends. */
function destination(key: string, from: number, starts: readonly number[], count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return Math.min(from + 1, count - 1);
    case "ArrowLeft":
      return Math.max(from - 1, 0);
    case "ArrowDown":
      return starts.find((start) => start > from) ?? count - 1;
    case "ArrowUp":
      return starts.findLast((start) => start < from) ?? 0;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
