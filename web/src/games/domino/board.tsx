// Dominó's table: the others, the line that winds between them, one's own tiles.

import { type Signal, useSignal } from "@preact/signals";
import { Countdown } from "../../play/countdown.tsx";
import { Elsewhere } from "../../play/elsewhere.tsx";
import { useSingleKeys } from "../../play/keys.ts";
import type { Match } from "../../play/match.ts";
import { Ends, Hand } from "./hand.tsx";
import { LineView } from "./line_view.tsx";
import { promptFor } from "./prompt.ts";
import { Seat } from "./seat.tsx";
import { choose, dominoTable, playAt } from "./table.ts";
import { dominoWords } from "./words/index.ts";

export function Board({ match }: { match: Match }) {
  const choice = useSignal<string | null>(null);
  useSingleKeys((key) => press(key, match, choice), [match, choice]);
  const table = dominoTable(match, choice);
  if (table === null) return null;
  const w = dominoWords.value;
  return (
    <>
      <div class="felt domino">
        <p class="label round-number">{w.board.round(w.ordinal(table.domino.round))}</p>
        {Array.from({ length: table.seats.count }, (_, place) => (
          <Seat key={place} table={table} place={place} />
        ))}
        <LineView table={table} choice={choice} />
      </div>
      <section class="mine" aria-label={w.board.myTurn}>
        <div class="prompt">
          <p id="prompt" role="status">
            {promptFor(table)}
          </p>
          <Countdown match={match} />
        </div>
        {table.seats.isMineKnown && <Hand table={table} choice={choice} />}
        <Ends table={table} choice={choice} />
        <p id="refusal" class="error" role="alert">
          {match.refusal.value}
        </p>
        <Elsewhere match={match} />
      </section>
    </>
  );
}

function press(key: string, match: Match, choice: Signal<string | null>): boolean {
  const table = dominoTable(match, choice);
  if (table === null) return false;
  if (table.chosen !== null) {
    const { left, right } = table.chosen.plays ?? {};
    const move = { arrowleft: left, arrowright: right }[key];
    if (move !== undefined) playAt(match, choice, move);
    else if (key === "escape") choice.value = null;
    if (move !== undefined || key === "escape") return true;
  }
  const held = table.held[Number(key) - 1];
  if (held?.plays === undefined) return false;
  choose(match, choice, held);
  return true;
}
