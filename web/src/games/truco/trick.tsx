// The cards on the table, each where its player sits.

import { Back, Face } from "../../cards/card.tsx";
import { cardWords } from "../../cards/names.ts";
import { anticlockwise } from "../../play/places.ts";
import { shownTrick } from "./scene.ts";
import { isManilha, type TrucoTable } from "./table.ts";
import { trucoWords } from "./words/index.ts";

export function TrickOnTable({ truco, seats }: TrucoTable) {
  const w = trucoWords.value.board;
  const trick = shownTrick(truco);
  const cards = trick?.cards ?? [];
  return (
    <section class="trick" id="trick" aria-label={w.onTable}>
      {cards.map(({ seat, card, covered }, index) => {
        const isWinner = trick?.isOver === true && trick.winnerSeat === seat;
        const isOpen = card !== undefined && !covered;
        const isMarked = isOpen && isManilha(truco, card);
        const name = isOpen ? (isMarked ? w.withManilha(cardWords(card)) : cardWords(card)) : w.covered;
        const state = trick?.isOver === true ? (isWinner ? " winner" : " past") : "";
        const newest = index === cards.length - 1 ? " newest" : "";
        const label = isWinner ? w.wonTrick(seats.who(seat), name) : w.played(seats.who(seat), name);
        return (
          <span
            key={seat}
            class={`played from-${anticlockwise(seats.placeOf(seat), seats.count)}${state}${newest}`}
            role="img"
            aria-label={label}
          >
            {isOpen ? <Face card={card} isMarked={isMarked} /> : <Back />}
          </span>
        );
      })}
    </section>
  );
}
