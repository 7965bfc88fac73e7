// The tricks of this hand and of those before it.

import type { Card } from "../../cards/cards.ts";
import { Chip } from "../../cards/chip.tsx";
import { cardWords } from "../../cards/names.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { type PastHand, type PastTrick, pastHands } from "./past.ts";
import { cardsText } from "./sentences.ts";
import { type SuecaTable, suecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

export function History({ match }: { match: Match }) {
  const table = suecaTable(match);
  if (table === null) return null;
  const w = suecaWords.value.history;
  const { sueca } = table;
  const tricks = sueca.tricks
    .filter((trick) => trick.cards.length > 0)
    .map(({ cards, winnerSeat }) => ({ cards, winnerSeat }));
  return (
    <div class="history">
      <h3>{w.thisHand}</h3>
      {tricks.length === 0 ? (
        <p class="dim">{w.none}</p>
      ) : (
        <Tricks table={table} tricks={tricks} trumpCard={sueca.trumpCard} />
      )}
      {pastHands(match.events.value)
        .filter(({ end }) => end.hand !== sueca.hand || sueca.winner !== undefined)
        .map((hand) => (
          <Past key={hand.end.hand} table={table} hand={hand} />
        ))}
    </div>
  );
}

function Past({ table, hand: { trumpCard, tricks, end } }: { table: SuecaTable; hand: PastHand }) {
  const words = suecaWords.value;
  const w = words.history;
  return (
    <details>
      <summary>
        <span>{w.hand(words.ordinal(end.hand))}</span>
        {end.winnerSide === undefined ? (
          <span class="dim">{w.tied}</span>
        ) : (
          <Won seats={table.seats} end={end} winnerSide={end.winnerSide} />
        )}
      </summary>
      {trumpCard !== undefined && <p class="dim">{w.trumpIs(cardWords(trumpCard))}</p>}
      <Tricks table={table} tricks={tricks} trumpCard={trumpCard} />
    </details>
  );
}

interface WonProps {
  readonly seats: Seats;
  readonly end: PastHand["end"];
  readonly winnerSide: number;
}

function Won({ seats, end, winnerSide }: WonProps) {
  const words = suecaWords.value;
  const w = words.history;
  const isOurs = seats.isOurs(winnerSide);
  const cards = end.isBandeira ? w.bandeira : cardsText(end.cardPoints, winnerSide);
  const points = words.points(end.points);
  return (
    <span class={isOurs ? "ours" : "theirs"}>
      {seats.isMineKnown
        ? (isOurs ? w.ours : w.theirs)(cards, points)
        : w.of(seats.sideNames(winnerSide), cards, points)}
    </span>
  );
}

interface TricksProps {
  readonly table: SuecaTable;
  readonly tricks: readonly PastTrick[];
  readonly trumpCard: Card | undefined;
}

function Tricks({ table: { seats }, tricks, trumpCard }: TricksProps) {
  const w = suecaWords.value;
  return (
    <ol class="past-tricks">
      {tricks.map((trick, index) => (
        <li key={index} aria-label={w.history.trick(w.ordinal(index + 1))}>
          {trick.cards.map(({ seat, card }) => (
            <span
              key={seat}
              class={`past-card ${seats.isOurs(seat % 2) ? "ours" : "theirs"}${seat === trick.winnerSeat ? " won" : ""}`}
            >
              {card !== undefined && <Chip card={card} isMarked={card.suit === trumpCard?.suit} />}
              <span class="past-name">{seats.who(seat)}</span>
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
