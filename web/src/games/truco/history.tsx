// The tricks of this hand and of those before it.

import type { PlayedCard } from "../../api/generated/games_truco.ts";
import type { Card } from "../../cards/cards.ts";
import { Chip, CoveredChip } from "../../cards/chip.tsx";
import { cardWords } from "../../cards/names.ts";
import type { Match } from "../../play/match.ts";
import { type PastHand, type PastTrick, pastHands, wasManilha } from "./past.ts";
import { type TrucoTable, trucoTable } from "./table.ts";
import { trucoWords } from "./words/index.ts";

export function History({ match }: { match: Match }) {
  const table = trucoTable(match);
  if (table === null) return null;
  const w = trucoWords.value.history;
  const tricks = table.truco.tricks
    .filter((trick) => trick.cards.length > 0)
    .map(({ cards, winnerSeat }) => ({ cards, winnerSeat }));
  return (
    <div class="history">
      <h3>{w.thisHand}</h3>
      {tricks.length === 0 ? (
        <p class="dim">{w.none}</p>
      ) : (
        <Tricks table={table} tricks={tricks} vira={table.truco.vira} />
      )}
      {pastHands(match.events.value)
        .filter(({ hand }) => hand !== table.truco.hand)
        .map((hand) => (
          <Past key={hand.hand} table={table} hand={hand} />
        ))}
    </div>
  );
}

function Past({ table, hand }: { table: TrucoTable; hand: PastHand }) {
  const words = trucoWords.value;
  const w = words.history;
  const isOurs = hand.winnerSide === undefined ? null : table.seats.isOurs(hand.winnerSide);
  const points = words.points(hand.points);
  return (
    <details>
      <summary>
        <span>{w.hand(words.ordinal(hand.hand))}</span>
        <span class={isOurs === null ? "dim" : isOurs ? "ours" : "theirs"}>
          {hand.winnerSide === undefined
            ? w.nobody
            : !table.seats.isMineKnown
              ? w.of(table.seats.sideNames(hand.winnerSide), points)
              : isOurs
                ? w.ours(points)
                : w.theirs(points)}
        </span>
      </summary>
      {hand.vira !== undefined && <p class="dim">{w.viraIs(cardWords(hand.vira))}</p>}
      <Tricks table={table} tricks={hand.tricks} vira={hand.vira} />
    </details>
  );
}

interface TricksProps {
  readonly table: TrucoTable;
  readonly tricks: readonly PastTrick[];
  readonly vira: Card | undefined;
}

function Tricks({ table, tricks, vira }: TricksProps) {
  const w = trucoWords.value;
  return (
    <ol class="past-tricks">
      {tricks.map((trick, index) => (
        <li key={index} aria-label={w.history.trick(w.ordinal(index + 1))}>
          {trick.cards.map((card) => (
            <PastCard
              key={card.seat}
              table={table}
              played={card}
              vira={vira}
              isWinner={card.seat === trick.winnerSeat}
            />
          ))}
        </li>
      ))}
    </ol>
  );
}

interface PastCardProps {
  readonly table: TrucoTable;
  readonly played: PlayedCard;
  readonly vira: Card | undefined;
  readonly isWinner: boolean;
}

function PastCard({ table, played: { seat, card, covered }, vira, isWinner }: PastCardProps) {
  const side = table.seats.isOurs(seat % 2) ? "ours" : "theirs";
  return (
    <span class={`past-card ${side}${isWinner ? " won" : ""}`}>
      {card !== undefined && !covered ? (
        <Chip card={card} isMarked={wasManilha(card, vira)} />
      ) : (
        <CoveredChip label={trucoWords.value.board.covered} />
      )}
      <span class="past-name">{table.seats.who(seat)}</span>
    </span>
  );
}
