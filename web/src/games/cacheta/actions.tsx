// What may be done: draw, discard, go out, say na boa, claim or let pass; and how the hand is put in order.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Move } from "../../api/generated/games_cacheta.ts";
import { cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { type Holding, reorder, shift } from "./hand.tsx";
import { type CachetaTable, myCards } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

const LOST_TO_NINE = 1;
const LOST_TO_TEN = 2;

interface ActionsProps {
  readonly table: CachetaTable;
  readonly holding: Holding;
}

/** The move to go out, with the card that it discards; ten cards where ten fit. */
export function wayOut({ offer }: CachetaTable, { chosen }: Holding): readonly [Move, string | null] | null {
  if (offer.outWithTen !== undefined) return [offer.outWithTen, null];
  const [first] = offer.outs.keys();
  const key = chosen.value !== null && offer.outs.has(chosen.value) ? chosen.value : first;
  const move = key === undefined ? undefined : offer.outs.get(key);
  return move === undefined || key === undefined ? null : [move, key];
}

/** The move that discards the picked card. */
export function discardOf({ offer }: CachetaTable, { chosen }: Holding): Move | undefined {
  return chosen.value === null ? undefined : offer.discards.get(chosen.value);
}

export function Actions({ table, holding }: ActionsProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const { offer, cacheta, seats } = table;
  const words = cachetaWords.value;
  const w = words.actions;
  const out = wayOut(table, holding);
  const mayBurn = !seats.isMe(cacheta.toPlay);
  return (
    <div class="actions" id="actions" role="group" aria-label={words.board.myMoves} tabIndex={-1} ref={group}>
      {out !== null && <GoOut table={table} move={out[0]} discard={out[1]} />}
      <Act table={table} name="jump" kind="raise" move={offer.jump}>
        {w.jump} {!mayBurn && <small>{w.noBurn}</small>}
      </Act>
      <Act table={table} name="pass" kind="plain" move={offer.pass}>
        {w.pass}
      </Act>
      <Act table={table} name="draw" kind="primary" move={offer.draw}>
        {w.draw}
      </Act>
      <Act table={table} name="take" kind="plain" move={offer.take}>
        {w.take}
      </Act>
      {offer.discards.size > 0 && (
        <Act table={table} name="discard" kind="primary" move={discardOf(table, holding)} isKept>
          {w.discard}
        </Act>
      )}
      <Act table={table} name="na-boa" kind="plain" move={offer.naBoa}>
        {w.naBoa}
      </Act>
      {myCards(table).length > 0 && <Order table={table} holding={holding} />}
    </div>
  );
}

interface ActProps {
  readonly table: CachetaTable;
  readonly name: string;
  readonly kind: string;
  readonly move: Move | undefined;
  /** Whether it stands there, out of use, while there is no move. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

function Act({ table, name, kind, move, isKept = false, children }: ActProps) {
  if (move === undefined && !isKept) return null;
  return (
    <button
      type="button"
      class={`action ${kind}`}
      data-key={name}
      aria-disabled={move === undefined}
      onClick={() => move !== undefined && table.match.play({ cacheta: move })}
    >
      {children}
    </button>
  );
}

interface GoOutProps {
  readonly table: CachetaTable;
  readonly move: Move;
  readonly discard: string | null;
}

function GoOut({ table, move, discard }: GoOutProps) {
  const w = cachetaWords.value.actions;
  const card = myCards(table).find((one) => cardKey(one) === discard);
  const costs = w.costs(discard === null ? LOST_TO_TEN : LOST_TO_NINE);
  return (
    <Act table={table} name="out" kind="raise" move={move}>
      {discard === null ? w.goOutTen : w.goOutNine}{" "}
      <small>{card === undefined ? costs : `${w.dropping(cardWords(card))}, ${costs}`}</small>
    </Act>
  );
}

/** How the hand is arranged: in an order, or the picked card one place on. */
function Order({ table, holding }: ActionsProps) {
  const w = cachetaWords.value.board;
  const isPicked = holding.chosen.value !== null;
  return (
    <span class="ordering">
      {isPicked && (
        <button
          type="button"
          class="action quiet"
          data-key="left"
          aria-label={w.toLeft}
          onClick={() => shift(table, holding, -1)}
        >
          ◀
        </button>
      )}
      <button type="button" class="action quiet" data-key="order" onClick={() => reorder(holding)}>
        {holding.arrangement.value === "suit" ? w.byRank : w.bySuit}
      </button>
      {isPicked && (
        <button
          type="button"
          class="action quiet"
          data-key="right"
          aria-label={w.toRight}
          onClick={() => shift(table, holding, 1)}
        >
          ▶
        </button>
      )}
    </span>
  );
}
