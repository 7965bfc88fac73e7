// The middle of the table: stock and discards, which are buttons while one may draw; or the melds that ended the round.

import type { ComponentChildren } from "preact";
import type { Move } from "../../api/generated/games_cacheta.ts";
import { Back, Face } from "../../cards/card.tsx";
import { cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { Ring } from "../../play/plate.tsx";
import { type CachetaTable, isWild, named } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

export function Centre({ table }: { readonly table: CachetaTable }) {
  const w = cachetaWords.value.board;
  if (table.cacheta.laid.length > 0) return <Laid table={table} />;
  return (
    <section class="centre" id="centre" aria-label={w.centre}>
      <Stock table={table} />
      <Discards table={table} />
    </section>
  );
}

/** The hand of who went out, each wild in the place that it fills. */
function Laid({ table: { cacheta } }: { readonly table: CachetaTable }) {
  const w = cachetaWords.value.board;
  return (
    <section class="centre laid" id="laid" aria-label={w.laid}>
      {cacheta.laid.map(({ cards }, index) => (
        <span
          key={index}
          class="meld"
          role="img"
          aria-label={w.meld(cards.map((card) => named(cacheta, card)).join(", "))}
        >
          {cards.map((card) => (
            <Face key={cardKey(card)} card={card} isMarked={isWild(cacheta, card)} />
          ))}
        </span>
      ))}
    </section>
  );
}

function Stock({ table }: { readonly table: CachetaTable }) {
  const w = cachetaWords.value.board;
  const { cacheta, offer } = table;
  const label = w.stock(cacheta.stockCount);
  return (
    <Pile table={table} id="stock" label={label} action={w.drawFrom(label)} move={offer.draw}>
      {cacheta.stockCount > 0 ? <Back /> : <span class="no-card" aria-hidden="true" />}
      <span class="stock-count" aria-hidden="true">
        {cacheta.stockCount}
      </span>
    </Pile>
  );
}

function Discards({ table }: { readonly table: CachetaTable }) {
  const w = cachetaWords.value.board;
  const { cacheta, offer, match } = table;
  const { discardTop, discardCount, window } = cacheta;
  const label = discardTop === undefined ? w.noDiscards : w.discards(discardCount, cardWords(discardTop));
  return (
    <Pile table={table} id="discards" label={label} action={w.takeFrom(label)} move={offer.take}>
      {discardTop === undefined ? (
        <span class="no-card" aria-hidden="true" />
      ) : (
        <span class="newest" key={`${discardCount} ${cardKey(discardTop)}`}>
          <Face card={discardTop} isMarked={isWild(cacheta, discardTop)} />
        </span>
      )}
      {window !== undefined && match.clock.value !== null && (
        <span class="window-ring" aria-hidden="true">
          <Ring match={match} />
          {Math.ceil(match.clock.value.leftMs / 1000)}
        </span>
      )}
    </Pile>
  );
}

interface PileProps {
  readonly table: CachetaTable;
  readonly id: string;
  readonly label: string;
  /** The label while one may take from it. */
  readonly action: string;
  readonly move: Move | undefined;
  readonly children: ComponentChildren;
}

function Pile({ table, id, label, action, move, children }: PileProps) {
  if (move === undefined) {
    return (
      <span class="stock" id={id} role="img" aria-label={label}>
        {children}
      </span>
    );
  }
  return (
    <button
      class="stock"
      id={id}
      type="button"
      aria-label={action}
      onClick={() => table.match.play({ cacheta: move })}
    >
      {children}
    </button>
  );
}
