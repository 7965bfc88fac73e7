// A card as small as a word: its rank and its suit's sign.

import { type Card, suitName } from "./cards.ts";
import { cardWords, rankMark } from "./names.ts";

export function Chip({ card, isMarked = false }: { readonly card: Card; readonly isMarked?: boolean }) {
  const suit = suitName(card.suit);
  return (
    <span
      class={`chip suit-${suit ?? "none"}${isMarked ? " manilha" : ""}`}
      role="img"
      aria-label={cardWords(card)}
    >
      <span aria-hidden="true">{rankMark(card.rank)}</span>
      {suit !== null && <SuitSign suit={suit} />}
    </span>
  );
}

/** A card nobody may see. */
export function CoveredChip({ label }: { readonly label: string }) {
  return <span class="chip covered" role="img" aria-label={label} />;
}

/** A suit's sign alone. */
export function SuitSign({ suit }: { readonly suit: string }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <use href={`#suit-${suit}`} />
    </svg>
  );
}
