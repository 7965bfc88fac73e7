// What lies between the sides: the stock, the mortos and the lixo.

import type { Card } from "../../cards/cards.ts";
import { Back, Face } from "../../cards/card.tsx";
import { cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { Slip } from "../../cards/slip.tsx";
import { drawing, play, taking } from "./deeds.ts";
import { cardsWords } from "./names.ts";
import type { BuracoTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

interface PilesProps {
  readonly table: BuracoTable;
  readonly chosen: readonly Card[];
  /** What a drag is over. */
  readonly over: string;
}

export function Piles({ table, chosen, over }: PilesProps) {
  const { buraco } = table;
  const w = buracoWords.value.piles;
  const draw = drawing(table);
  return (
    <section class="piles" aria-label={w.label}>
      <button
        type="button"
        id="stock"
        class={`pile${draw === null ? "" : " open"}`}
        aria-label={
          draw === null ? w.stockIs(buraco.stockCount) : `${w.draw}. ${w.stockIs(buraco.stockCount)}`
        }
        aria-disabled={draw === null}
        onClick={() => play(table, draw)}
      >
        <span class="pile-cards">{buraco.stockCount > 0 ? <Back /> : <span class="card gone" />}</span>
        <span class="pile-name" aria-hidden="true">
          {w.stock} <strong>{buraco.stockCount}</strong>
        </span>
      </button>
      <div class="pile mortos" id="mortos" role="img" aria-label={mortosWords(table)}>
        <span class="pile-cards">
          {[0, 1].map((index) =>
            index < buraco.mortosLeft ? <Back key={index} /> : <span key={index} class="card gone" />,
          )}
        </span>
        <span class="pile-name" aria-hidden="true">
          {w.mortos} <strong>{buraco.mortosLeft}</strong>
        </span>
      </div>
      <Lixo table={table} chosen={chosen} over={over} />
    </section>
  );
}

function mortosWords({ buraco }: BuracoTable): string {
  const w = buracoWords.value.piles;
  const left = w.mortosLeft(buraco.mortosLeft);
  return buraco.mortosTurned === 0 ? left : `${left}; ${w.mortosTurned(buraco.mortosTurned)}`;
}

/** All of an open one, the top of a closed one; a tap takes it, a card let go on it is discarded. */
function Lixo({ table, chosen, over }: PilesProps) {
  const { buraco } = table;
  const w = buracoWords.value.piles;
  const take = taking(table, chosen);
  const top = buraco.lixo.at(-1);
  const isOpen = buraco.house?.isLixoOpen === true;
  const label =
    top === undefined
      ? `${w.lixo}: ${w.lixoEmpty}`
      : isOpen
        ? w.lixoOpen(buraco.lixoCount, cardsWords(buraco.lixo))
        : w.lixoClosed(buraco.lixoCount, cardWords(top));
  return (
    <button
      type="button"
      id="lixo"
      class={`pile lixo${take === null ? "" : " open"}${over === "lixo" ? " over" : ""}`}
      data-drop="lixo"
      aria-label={label}
      aria-disabled={take === null}
      onClick={() => play(table, take)}
    >
      <span class="pile-cards">
        {top === undefined ? <span class="card gone" /> : <Face key={cardKey(top)} card={top} />}
      </span>
      {isOpen && buraco.lixo.length > 1 && (
        <span class="lixo-cards">
          {buraco.lixo.map((card) => (
            <Slip key={cardKey(card)} card={card} />
          ))}
        </span>
      )}
      <span class="pile-name" aria-hidden="true">
        {w.lixo} <strong>{buraco.lixoCount}</strong>
      </span>
    </button>
  );
}
