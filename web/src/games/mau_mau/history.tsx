// The cards that were played, the newest first.

import { Chip } from "../../cards/chip.tsx";
import type { Match } from "../../play/match.ts";
import { mauMauTable } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

const MOST_CARDS = 60;

export function History({ match }: { match: Match }) {
  const table = mauMauTable(match);
  if (table === null) return null;
  const played = match.events.value.flatMap(({ version, mauMau: event }) => {
    const { seat, card } = event?.cardPlayed ?? {};
    return seat === undefined || card === undefined ? [] : [{ version, seat, card }];
  });
  if (played.length === 0) return <p class="dim">{mauMauWords.value.history.none}</p>;
  return (
    <ol class="history played-cards">
      {played
        .slice(-MOST_CARDS)
        .reverse()
        .map(({ version, seat, card }) => (
          <li key={version} class="past-card">
            <Chip card={card} />
            <span class="past-name">{table.seats.who(seat)}</span>
          </li>
        ))}
    </ol>
  );
}
