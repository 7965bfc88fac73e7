// The two corners of the table: the vira with the wilds, and who may jump the queue, in their order.

import { Face } from "../../cards/card.tsx";
import { cardKey } from "../../cards/cards.ts";
import { Chip } from "../../cards/chip.tsx";
import { cardWords } from "../../cards/names.ts";
import type { CachetaTable } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

export function WildsCorner({ table: { cacheta } }: { readonly table: CachetaTable }) {
  const w = cachetaWords.value.board;
  const { vira, wilds } = cacheta;
  if (vira === undefined) return null;
  return (
    <section class="wilds" id="wilds" aria-label={w.wildsAre(wilds.map(cardWords).join(", "))}>
      <span class="small-card" role="img" aria-label={w.viraIs(cardWords(vira))}>
        <Face card={vira} />
      </span>
      <span class="label">{w.wilds}</span>
      <span class="wild-chips">
        {wilds.map((card) => (
          <Chip key={cardKey(card)} card={card} isMarked />
        ))}
      </span>
    </section>
  );
}

export function QueueCorner({ table: { cacheta, seats } }: { readonly table: CachetaTable }) {
  const w = cachetaWords.value.board;
  const { window } = cacheta;
  if (window === undefined) return null;
  return (
    <section class="queue" id="queue" aria-labelledby="queue-title">
      <span class="label" id="queue-title">
        {w.queue}
      </span>
      <ol>
        {window.mayClaim.map((seat, index) => {
          const [state, mark, said] = window.claimed.includes(seat)
            ? ["claimed", "✓", w.claimed]
            : window.passed.includes(seat)
              ? ["passed", "–", w.passed]
              : ["thinking", "…", w.asked];
          return (
            <li key={seat} class={state} title={said}>
              <span>
                {index + 1}. {seats.who(seat)}
              </span>
              <span aria-hidden="true">{mark}</span>
              <span class="unseen">{said}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
