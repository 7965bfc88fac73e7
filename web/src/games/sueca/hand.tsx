// One's own cards: those that may be played now stand out.

import { useRef } from "preact/hooks";
import { Face } from "../../cards/card.tsx";
import { cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { isTrump, type SuecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

export function Hand({ table: { match, sueca, held } }: { table: SuecaTable }) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const w = suecaWords.value.board;
  const isMyTurn = held.some(({ move }) => move !== undefined);
  return (
    <div
      class={`hand${isMyTurn ? " choosing" : ""}`}
      id="hand"
      role="group"
      aria-label={w.myCards}
      tabIndex={-1}
      ref={group}
    >
      {held.map(({ card, move }) => (
        <button
          key={cardKey(card)}
          type="button"
          class="hand-card"
          aria-label={isTrump(sueca, card) ? w.withTrump(cardWords(card)) : cardWords(card)}
          aria-disabled={move === undefined}
          onClick={() => move !== undefined && match.play({ sueca: move })}
        >
          <Face card={card} isMarked={isTrump(sueca, card)} />
        </button>
      ))}
    </div>
  );
}
