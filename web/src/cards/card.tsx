// A card's face and back, drawn by us.

import type { ComponentChildren } from "preact";
import { settings } from "../session/settings.ts";
import { type Card, rankLetter, type SuitName, suitName } from "./cards.ts";
import { FrenchFace } from "./french.tsx";
import { SpanishFace } from "./spanish.tsx";

interface FaceProps {
  readonly card: Card;
  /** Drawn with a star: the strongest cards of the moment. */
  readonly isMarked?: boolean;
  readonly class?: string;
}

/** A card's face. It has no words of its own: who draws it names it. */
export function Face({ card, isMarked = false, class: more = "" }: FaceProps) {
  const suit = suitName(card.suit);
  const Drawing = settings.deckFace.value === "spanish" ? SpanishFace : FrenchFace;
  return (
    <CardShape class={`face suit-${suit ?? "none"}${isMarked ? " manilha" : ""} ${more}`}>
      <svg viewBox="0 0 100 140" aria-hidden="true" focusable="false">
        <Drawing letter={rankLetter(card.rank)} suit={suit} />
      </svg>
      {isMarked && (
        <svg class="star" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <use href="#star" />
        </svg>
      )}
    </CardShape>
  );
}

/** A card's back. */
export function Back({ class: more = "" }: { readonly class?: string }) {
  return <CardShape class={`back ${more}`} />;
}

/** What a drawing of a face is given. */
export interface DrawingProps {
  readonly letter: string;
  /** Null for a joker. */
  readonly suit: SuitName | null;
}

function CardShape({ class: kind, children }: { class: string; children?: ComponentChildren }) {
  return <span class={`card ${kind.trim()}`}>{children}</span>;
}
