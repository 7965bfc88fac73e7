// The gestures that one may make to one's side, with what they mean in this hand.

import { suitName } from "../../cards/cards.ts";
import { SuitSign } from "../../cards/chip.tsx";
import { suitWord } from "../../cards/names.ts";
import { GestureFace } from "./gesture.tsx";
import type { TrucoTable } from "./table.ts";
import { trucoWords } from "./words/index.ts";

export function Signals({ table }: { table: TrucoTable }) {
  const { match, truco, seats, offer } = table;
  const w = trucoWords.value.signals;
  const meanings = truco.signalTables.find(({ side }) => seats.isOurs(side))?.meanings ?? [];
  if (!seats.isMineKnown || truco.winner !== undefined || meanings.length === 0) return null;
  const made = new Set(truco.signals.filter(({ seat }) => seats.isMe(seat)).map(({ gesture }) => gesture));
  return (
    <div class="signals" id="signals" role="group" aria-label={w.label}>
      {meanings.map(({ gesture, suit }) => {
        const move = offer.signals.get(gesture);
        const name = suitName(suit);
        const label = w.means(w.gestures[gesture], suitWord(suit));
        return (
          <button
            key={gesture}
            type="button"
            class="signal"
            aria-label={made.has(gesture) ? w.made(label) : label}
            aria-disabled={move === undefined}
            title={w.about}
            onClick={() => move !== undefined && match.play({ truco: move })}
          >
            <GestureFace gesture={gesture} />
            <span>{w.gestures[gesture]}</span>
            {name !== null && (
              <span class={`signal-suit suit-${name}`}>
                <SuitSign suit={name} />
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
