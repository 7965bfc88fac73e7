// The middle of the table: the stock, the card to follow with the suit that counts, what is owed, which way round it goes.

import { Back, Face } from "../../cards/card.tsx";
import { suitName } from "../../cards/cards.ts";
import { SuitSign } from "../../cards/chip.tsx";
import { cardWords, suitWord } from "../../cards/names.ts";
import { placing } from "../../play/places.ts";
import type { MauMauTable } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

export function Centre({ table }: { readonly table: MauMauTable }) {
  const w = mauMauWords.value.board;
  const { mauMau } = table;
  const suit = suitName(mauMau.suit);
  const isNamed = mauMau.top !== undefined && (mauMau.suit !== mauMau.top.suit || isJack(mauMau.top.rank));
  return (
    <section class="centre" id="centre" aria-label={w.centre}>
      <Direction table={table} />
      <Stock table={table} />
      {mauMau.top !== undefined && (
        <span class="top-card">
          <span
            key={`${mauMau.pileCount} ${mauMau.top.rank} ${mauMau.top.suit}`}
            class="newest"
            id="top"
            role="img"
            aria-label={w.top(cardWords(mauMau.top))}
          >
            <Face card={mauMau.top} />
          </span>
          {isNamed && suit !== null && (
            <span
              class={`named suit-${suit}`}
              id="named"
              role="img"
              aria-label={w.suitCounts(suitWord(mauMau.suit))}
            >
              <SuitSign suit={suit} />
            </span>
          )}
          {mauMau.penalty > 0 && (
            <span class="penalty" id="penalty" role="img" aria-label={w.owed(mauMau.penalty)}>
              +{mauMau.penalty}
            </span>
          )}
        </span>
      )}
    </section>
  );
}

function isJack(rank: string): boolean {
  return rank === "RANK_JACK";
}

/** The stock; while one may draw, it is a button. */
function Stock({ table }: { readonly table: MauMauTable }) {
  const w = mauMauWords.value.board;
  const { match, mauMau, offer } = table;
  const label = w.stock(mauMau.stockCount);
  const content = (
    <>
      {mauMau.stockCount > 0 ? <Back /> : <span class="no-card" aria-hidden="true" />}
      <span class="stock-count" aria-hidden="true">
        {mauMau.stockCount}
      </span>
    </>
  );
  const move = offer.draw ?? offer.take;
  if (move === undefined) {
    return (
      <span class="stock" id="stock" role="img" aria-label={label}>
        {content}
      </span>
    );
  }
  return (
    <button
      class="stock"
      id="stock"
      type="button"
      aria-label={w.drawFrom(label)}
      onClick={() => match.play({ mauMau: move })}
    >
      {content}
    </button>
  );
}

/** A ring round the middle, with arrows that point the way that is played. */
function Direction({ table: { mauMau, view } }: { readonly table: MauMauTable }) {
  const w = mauMauWords.value.board;
  // Seats are numbered the way that the table is drawn.
  const isDrawnClockwise = placing(view)(1, 3) === "left";
  const isClockwise = (mauMau.direction !== "DIRECTION_BACKWARD") === isDrawnClockwise;
  return (
    <span
      class={`direction${isClockwise ? "" : " backward"}`}
      id="direction"
      role="img"
      aria-label={isClockwise ? w.forward : w.backward}
    />
  );
}
