// Sueca's table, from the corner with the trump to one's own cards.

import { Countdown } from "../../play/countdown.tsx";
import { Elsewhere } from "../../play/elsewhere.tsx";
import { useSingleKeys } from "../../play/keys.ts";
import type { Match } from "../../play/match.ts";
import { TakenCorner, TrumpCorner } from "./corners.tsx";
import { Hand } from "./hand.tsx";
import { promptFor } from "./prompt.ts";
import { Seat } from "./seat.tsx";
import { suecaTable } from "./table.ts";
import { LastTrick, TrickOnTable } from "./trick.tsx";
import { suecaWords } from "./words/index.ts";

/** The cards of a hand from left to right. */
const KEYS = "1234567890";

export function Board({ match }: { match: Match }) {
  useSingleKeys((key) => press(key, match), [match]);
  const table = suecaTable(match);
  if (table === null) return null;
  return (
    <>
      <div class="felt sueca">
        <TrumpCorner {...table} />
        <TakenCorner {...table} />
        {Array.from({ length: table.seats.count }, (_, place) => (
          <Seat key={place} table={table} place={place} />
        ))}
        <TrickOnTable {...table} />
      </div>
      <section class="mine sueca-mine" aria-label={suecaWords.value.board.myTurn}>
        <div class="prompt">
          <p id="prompt" role="status">
            {promptFor(table)}
          </p>
          <Countdown match={match} />
        </div>
        {table.seats.isMineKnown && <Hand table={table} />}
        <LastTrick {...table} />
        <p id="refusal" class="error" role="alert">
          {match.refusal.value}
        </p>
        <Elsewhere match={match} />
      </section>
    </>
  );
}

function press(key: string, match: Match): boolean {
  const place = key.length === 1 ? KEYS.indexOf(key) : -1;
  const move = suecaTable(match)?.held[place]?.move;
  if (move !== undefined) match.play({ sueca: move });
  return move !== undefined;
}
