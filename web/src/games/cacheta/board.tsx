// Cacheta's table: wilds and queue in the corners, stock and discards in the middle, one's own cards below.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { cardKey } from "../../cards/cards.ts";
import { Countdown } from "../../play/countdown.tsx";
import { Elsewhere } from "../../play/elsewhere.tsx";
import type { Match } from "../../play/match.ts";
import { Actions } from "./actions.tsx";
import type { Arrangement } from "./arrangement.ts";
import { Centre } from "./centre.tsx";
import { QueueCorner, WildsCorner } from "./corners.tsx";
import { Hand, type Holding } from "./hand.tsx";
import { promptFor } from "./prompt.ts";
import { Seat } from "./seat.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { cachetaTable, myCards } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

export function Board({ match }: { readonly match: Match }) {
  const arrangement = useSignal<Arrangement>("suit");
  const chosen = useSignal<string | null>(null);
  const holding: Holding = useMemo(() => ({ arrangement, chosen }), [arrangement, chosen]);
  useShortcuts(match, holding);
  const table = cachetaTable(match);
  if (table === null) return null;
  if (chosen.value !== null && !myCards(table).some((card) => cardKey(card) === chosen.value)) {
    chosen.value = null;
  }
  return (
    <>
      <div class="felt round cacheta">
        <WildsCorner table={table} />
        <QueueCorner table={table} />
        {Array.from({ length: table.seats.count }, (_, place) => (
          <Seat key={place} table={table} place={place} />
        ))}
        <Centre table={table} />
      </div>
      <section class="mine" aria-label={cachetaWords.value.board.myTurn}>
        <div class="prompt">
          <p id="prompt" role="status">
            {promptFor(table, chosen.value)}
          </p>
          <Countdown match={match} />
        </div>
        <Hand table={table} holding={holding} />
        <Actions table={table} holding={holding} />
        <p id="refusal" class="error" role="alert">
          {match.refusal.value}
        </p>
        <Elsewhere match={match} />
      </section>
    </>
  );
}
