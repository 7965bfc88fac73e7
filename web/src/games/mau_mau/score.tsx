import type { Match } from "../../play/match.ts";
import { mauMauTable } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

/** How many cards are left to oneself, and to the other who has the fewest. */
export function Score({ match }: { match: Match }) {
  const table = mauMauTable(match);
  if (table === null) return null;
  const { seats, mauMau } = table;
  const w = mauMauWords.value.score;
  const counts = [...mauMau.hands].sort((one, other) => one.count - other.count);
  const mine = counts.find(({ seat }) => seats.isMe(seat));
  const first = counts.find(({ seat }) => !seats.isMe(seat));
  return (
    <div class="score" id="score" role="group" aria-label={w.label}>
      {mine !== undefined && (
        <span class="tally ours">
          <span class="tally-name">{w.mine}</span>
          <strong>{mine.count}</strong>
        </span>
      )}
      {first !== undefined && (
        <span class="tally theirs">
          <strong>{first.count}</strong>
          <span class="tally-name">{seats.name(first.seat)}</span>
        </span>
      )}
    </div>
  );
}
