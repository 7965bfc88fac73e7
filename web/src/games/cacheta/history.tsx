// The rounds that were played before: who won each, with which melds, and the points after it.

import { cardKey } from "../../cards/cards.ts";
import { Chip } from "../../cards/chip.tsx";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { type PastRound, pastRounds } from "./past.ts";
import { pointsOf } from "./sentences.ts";
import { cachetaTable } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

export function History({ match }: { match: Match }) {
  const table = cachetaTable(match);
  if (table === null) return null;
  const rounds = pastRounds(match.events.value);
  if (rounds.length === 0) return <p class="dim">{cachetaWords.value.history.none}</p>;
  return (
    <div class="history">
      {rounds.map((round) => (
        <Past key={round.round} round={round} seats={table.seats} />
      ))}
    </div>
  );
}

function Past({ round, seats }: { round: PastRound; seats: Seats }) {
  const w = cachetaWords.value.history;
  const { winner } = round;
  const side = winner === undefined ? "dim" : seats.isMe(winner) ? "ours" : "theirs";
  return (
    <details>
      <summary>
        <span>{w.round(round.round)}</span>
        <span class={side}>{winner === undefined ? w.voided : w.wonBy(seats.who(winner), round.lost)}</span>
      </summary>
      {winner !== undefined && <p class="dim">{w.points(pointsOf(round.points, seats))}</p>}
      <ul class="past-tricks">
        {round.melds.map(({ cards }, index) => (
          <li key={index}>
            {cards.map((card) => (
              <Chip key={cardKey(card)} card={card} />
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
