// Truco's table, from the corner with the vira to one's own cards.

import { useSignal } from "@preact/signals";
import { Countdown } from "../../play/countdown.tsx";
import { Elsewhere } from "../../play/elsewhere.tsx";
import type { Match } from "../../play/match.ts";
import { ViraCorner, WorthCorner } from "./corners.tsx";
import { Actions, Hand } from "./hand.tsx";
import { canCover } from "./moves.ts";
import { promptFor } from "./prompt.ts";
import { Seat } from "./seat.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { Signals } from "./signals.tsx";
import { trucoTable } from "./table.ts";
import { TrickOnTable } from "./trick.tsx";
import { trucoWords } from "./words/index.ts";

export function Board({ match }: { match: Match }) {
  const isCovering = useSignal(false);
  useShortcuts(match, isCovering);
  const table = trucoTable(match);
  if (table === null) return null;
  if (isCovering.value && !canCover(table.offer)) isCovering.value = false;
  const w = trucoWords.value;
  return (
    <>
      <div class={`felt seats-${table.seats.count}`}>
        <ViraCorner {...table} />
        <WorthCorner {...table} />
        {Array.from({ length: table.seats.count }, (_, place) => (
          <Seat key={place} table={table} place={place} />
        ))}
        <TrickOnTable {...table} />
      </div>
      <section class="mine" aria-label={w.board.myTurn}>
        <div class="prompt">
          <p id="prompt" role="status">
            {isCovering.value ? w.prompt.chooseCovered : promptFor(table)}
          </p>
          <Countdown match={match} />
        </div>
        <Hand table={table} isCovering={isCovering} />
        <Actions table={table} isCovering={isCovering} />
        <p id="refusal" class="error" role="alert">
          {match.refusal.value}
        </p>
        <Elsewhere match={match} />
        <Signals table={table} />
      </section>
    </>
  );
}
