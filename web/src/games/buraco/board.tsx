// The family's table: the others, both sides' melds round the piles, and one's own cards.

import { useMemo } from "preact/hooks";
import { isSame } from "../../cards/cards.ts";
import { Countdown } from "../../play/countdown.tsx";
import { Elsewhere } from "../../play/elsewhere.tsx";
import type { Match } from "../../play/match.ts";
import { Actions } from "./actions.tsx";
import { Choice } from "./choice.ts";
import { dropping, play } from "./deeds.ts";
import { Ghost, useDrag } from "./drag.tsx";
import { Hand, HandBar } from "./hand.tsx";
import { arrived, laidLately } from "./lately.ts";
import { Melds } from "./melds.tsx";
import { sidesFromOurs } from "./names.ts";
import { Piles } from "./piles.tsx";
import { promptFor } from "./prompt.ts";
import { Seat } from "./seat.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { type BuracoTable, buracoTable, switchOf } from "./table.ts";
import { buracoWords } from "./words/index.ts";

export function Board({ match }: { match: Match }) {
  const choice = useMemo(() => new Choice(), [match]);
  useShortcuts(match, choice);
  const drag = useDrag((cards, target) => {
    const table = buracoTable(match);
    const isHeld = cards.every((card) => table?.hand.some((one) => isSame(one, card)));
    if (table !== null && isHeld) play(table, dropping(table, cards, target));
  });
  const table = buracoTable(match);
  if (table === null) return null;
  const { seats, hand } = table;
  const events = match.events.value;
  const chosen = choice.of(hand);
  const over = drag.dragged.value?.over ?? "";
  const lately = laidLately(events);
  const [ours, theirs] = sidesFromOurs(seats);
  const w = buracoWords.value;
  return (
    <>
      <div class={`felt buraco of-${seats.count}`}>
        <div class="others">
          {Array.from({ length: seats.count - 1 }, (_, index) => (
            <Seat key={index} table={table} place={index + 1} />
          ))}
        </div>
        <Melds table={table} side={theirs} chosen={[]} lately={lately} over="" />
        <Piles table={table} chosen={chosen} over={over} />
        <Melds table={table} side={ours} chosen={chosen} lately={lately} over={over} />
        <Seat table={table} place={0} />
      </div>
      <section class="mine buraco-mine" aria-label={w.prompt.mine}>
        <div class="prompt">
          <p id="prompt" role="status">
            {promptFor(table, chosen)}
          </p>
          <p class="latest" aria-hidden="true">
            {match.lines.value.at(-1)?.text}
          </p>
          <Steps table={table} />
          <Countdown match={match} />
        </div>
        {hand.length > 0 && <HandBar table={table} chosen={chosen} />}
        <Hand
          table={table}
          choice={choice}
          chosen={chosen}
          arrived={arrived(events, seats.mine)}
          drag={drag}
        />
        <Actions table={table} choice={choice} chosen={chosen} />
        <p id="refusal" class="error" role="alert">
          {match.refusal.value}
        </p>
        <Elsewhere match={match} />
      </section>
      <Ghost drag={drag} />
    </>
  );
}

/** The two parts of a turn, each with its time; the one that runs stands out. */
function Steps({ table: { view, buraco } }: { table: BuracoTable }) {
  const w = buracoWords.value.steps;
  if (buraco.phase === "PHASE_OVER") return null;
  const steps = [
    ["PHASE_DRAW", w.seconds(w.draw, switchOf(view, "draw_seconds"))],
    ["PHASE_PLAY", w.seconds(w.play, switchOf(view, "play_seconds"))],
  ] as const;
  return (
    <ol class="steps" aria-label={w.label}>
      {steps.map(([phase, text]) => (
        <li
          key={phase}
          class={phase === buraco.phase ? "now" : ""}
          {...(phase === buraco.phase ? { "aria-current": "step" as const } : {})}
        >
          {text}
        </li>
      ))}
    </ol>
  );
}
