// The tiles and passes of this round and of those before it.

import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { type Deed, deedsOf, pastRounds } from "./past.ts";
import { tileKey } from "./table.ts";
import { dominoWords } from "./words/index.ts";

export function History({ match }: { match: Match }) {
  const domino = match.view.value?.domino;
  const seats = match.seats.value;
  if (domino === undefined || seats === null) return null;
  const words = dominoWords.value;
  const w = words.history;
  const deeds = deedsOf(domino.plays, domino.passes);
  return (
    <div class="history">
      <h3>{w.thisRound}</h3>
      {deeds.length === 0 ? <p class="dim">{w.none}</p> : <Deeds deeds={deeds} seats={seats} />}
      {pastRounds(match.events.value)
        .filter(({ end }) => end.round !== domino.round || domino.winner !== undefined)
        .map(({ deeds: past, end }) => {
          const isOurs = seats.isOurs(end.winnerSide);
          const points = words.points(end.points);
          return (
            <details key={end.round}>
              <summary>
                <span>{w.round(words.ordinal(end.round))}</span>
                <span class={isOurs ? "ours" : "theirs"}>
                  {!seats.isMineKnown
                    ? w.of(seats.sideNames(end.winnerSide), points)
                    : isOurs
                      ? w.ours(points)
                      : w.theirs(points)}
                </span>
              </summary>
              <Deeds deeds={past} seats={seats} />
            </details>
          );
        })}
    </div>
  );
}

function Deeds({ deeds, seats }: { deeds: readonly Deed[]; seats: Seats }) {
  const w = dominoWords.value.history;
  return (
    <ol class="deeds">
      {deeds.map(({ seat, play }, index) => (
        <li key={index} class={`past-card ${seats.isOurs(seat % 2) ? "ours" : "theirs"}`}>
          <span class={play === null ? "chip pass" : "chip"}>
            {play?.tile === undefined ? w.pass : tileKey(play.tile)}
          </span>
          <span class="past-name">{seats.who(seat)}</span>
        </li>
      ))}
    </ol>
  );
}
