// Mau Mau's table: the others round it, stock and pile in its middle, one's own cards below.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Countdown } from "../../play/countdown.tsx";
import { Elsewhere } from "../../play/elsewhere.tsx";
import type { Match } from "../../play/match.ts";
import { Actions, nameable } from "./actions.tsx";
import { Centre } from "./centre.tsx";
import { Hand, type Intent } from "./hand.tsx";
import { promptFor } from "./prompt.ts";
import { Seat } from "./seat.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { mauMauTable } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

export function Board({ match }: { readonly match: Match }) {
  const jack = useSignal<string | null>(null);
  const isCalling = useSignal(false);
  const intent: Intent = useMemo(() => ({ jack, isCalling }), [jack, isCalling]);
  useShortcuts(match, intent);
  const table = mauMauTable(match);
  if (table === null) return null;
  if (isCalling.value && table.offer.calledPlays.size === 0) isCalling.value = false;
  if (jack.value !== null && nameable(table, intent).size === 0) jack.value = null;
  const w = mauMauWords.value;
  return (
    <>
      <div class={`felt round round-${table.seats.count}`}>
        {Array.from({ length: table.seats.count }, (_, place) => (
          <Seat key={place} table={table} place={place} />
        ))}
        <Centre table={table} />
      </div>
      <section class="mine" aria-label={w.board.myTurn}>
        <div class="prompt">
          <p id="prompt" role="status">
            {jack.value === null ? promptFor(table) : w.prompt.chooseSuit}
          </p>
          <Countdown match={match} />
        </div>
        <Hand table={table} intent={intent} />
        <Actions table={table} intent={intent} />
        <p id="refusal" class="error" role="alert">
          {match.refusal.value}
        </p>
        <Elsewhere match={match} />
      </section>
    </>
  );
}
