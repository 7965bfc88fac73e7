// A card's corner, as big as it can be: what is left to see of a card where many lie side by side.

import { type Card, suitName } from "./cards.ts";
import { SuitSign } from "./chip.tsx";
import { rankMark } from "./names.ts";

interface SlipProps {
  readonly card: Card;
  readonly class?: string;
}

/** It has no words of its own: who draws it names it. */
export function Slip({ card, class: more = "" }: SlipProps) {
  const suit = suitName(card.suit);
  return (
    <span class={`slip suit-${suit ?? "none"} ${more}`.trim()} aria-hidden="true">
      <span class="slip-rank">{rankMark(card.rank)}</span>
      {suit !== null && <SuitSign suit={suit} />}
    </span>
  );
}
