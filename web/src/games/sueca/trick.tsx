// The cards on the table, each where its player sits, and the trick before.

import { Face } from "../../cards/card.tsx";
import { Chip } from "../../cards/chip.tsx";
import { cardWords } from "../../cards/names.ts";
import { placing } from "../../play/places.ts";
import { lastTrick, shownTrick } from "./scene.ts";
import { isTrump, type SuecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

export function TrickOnTable({ view, sueca, seats }: SuecaTable) {
  const w = suecaWords.value.board;
  const trick = shownTrick(sueca);
  const cards = trick?.cards ?? [];
  const isOver = trick?.winnerSeat !== undefined;
  return (
    <section class="trick" id="trick" aria-label={w.onTable}>
      {cards.map(({ seat, card }, index) => {
        if (card === undefined) return null;
        const isWinner = isOver && trick.winnerSeat === seat;
        const state = isOver ? (isWinner ? " winner" : " past") : "";
        const newest = index === cards.length - 1 ? " newest" : "";
        const isMarked = isTrump(sueca, card);
        const name = isMarked ? w.withTrump(cardWords(card)) : cardWords(card);
        const position = placing(view)(seats.placeOf(seat), seats.count);
        return (
          <span
            key={seat}
            class={`played from-${position}${state}${newest}`}
            role="img"
            aria-label={isWinner ? w.wonTrick(seats.who(seat), name) : w.played(seats.who(seat), name)}
          >
            <Face card={card} isMarked={isMarked} />
          </span>
        );
      })}
    </section>
  );
}

/** The trick before this one: whose it was, and what lay there. */
export function LastTrick({ sueca, seats }: SuecaTable) {
  const words = suecaWords.value;
  const trick = lastTrick(sueca);
  if (trick?.winnerSeat === undefined) return <p class="last-trick dim">{words.board.noTrick}</p>;
  return (
    <p class="last-trick" id="last-trick">
      <span>{words.board.lastTrick(seats.who(trick.winnerSeat), words.points(trick.points))}</span>
      <span class="chips">
        {trick.cards.map(
          ({ seat, card }) =>
            card !== undefined && (
              <span key={seat} class={seat === trick.winnerSeat ? "past-card won" : "past-card"}>
                <Chip card={card} isMarked={isTrump(sueca, card)} />
              </span>
            ),
        )}
      </span>
    </p>
  );
}
