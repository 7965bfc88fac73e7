// What may be done beside playing a card, and the suits when a Jack asks for one.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Move } from "../../api/generated/games_mau_mau.ts";
import { type Suit, suitName } from "../../cards/cards.ts";
import { SuitSign } from "../../cards/chip.tsx";
import { suitWord } from "../../cards/names.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { capital } from "../../play/sentences.ts";
import { type Intent, order, reorder, send } from "./hand.tsx";
import { type MauMauTable, myCards } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

interface ActionsProps {
  readonly table: MauMauTable;
  readonly intent: Intent;
}

/** With fewer cards an order is of no use. */
const ORDER_FROM = 3;

/** The suits that the chosen Jack may name, by suit; none where no Jack is chosen. */
export function nameable({ offer }: MauMauTable, { jack, isCalling }: Intent): ReadonlyMap<Suit, Move> {
  const plays = isCalling.value ? offer.calledPlays : offer.plays;
  return (jack.value === null ? undefined : plays.get(jack.value)) ?? new Map<Suit, Move>();
}

export function Actions({ table, intent }: ActionsProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const words = mauMauWords.value;
  const isNaming = nameable(table, intent).size > 0;
  return (
    <div
      class="actions"
      id="actions"
      role="group"
      aria-label={isNaming ? words.actions.suits : words.board.myMoves}
      tabIndex={-1}
      ref={group}
    >
      {isNaming ? <Suits table={table} intent={intent} /> : <Moves table={table} intent={intent} />}
    </div>
  );
}

function Suits({ table, intent }: ActionsProps) {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus({ preventScroll: true }), []);
  return (
    <>
      {[...nameable(table, intent)].map(([suit, move], index) => {
        const name = suitName(suit) ?? "";
        return (
          <button
            key={suit}
            type="button"
            class={`action suit-choice suit-${name}`}
            ref={index === 0 ? first : null}
            onClick={() => send(move, table.match, intent)}
          >
            <SuitSign suit={name} />
            {capital(suitWord(suit))}
          </button>
        );
      })}
      <button type="button" class="action quiet" onClick={() => (intent.jack.value = null)}>
        {mauMauWords.value.actions.cancel}
      </button>
    </>
  );
}

function Moves({ table, intent }: ActionsProps) {
  const words = mauMauWords.value;
  const w = words.actions;
  const { match, seats, offer, mauMau } = table;
  const accused = offer.accuse?.accuse.seat;
  const buttons: readonly [string, string, string, Move | undefined][] = [
    ["take", "raise", w.take(mauMau.penalty), offer.take],
    ["draw", "primary", w.draw, offer.draw],
    ["pass", "plain", w.pass, offer.pass],
    ["accuse", "raise", accused === undefined ? "" : w.accuse(seats.who(accused)), offer.accuse],
  ];
  return (
    <>
      {buttons.map(
        ([key, kind, text, move]) =>
          move !== undefined && (
            <button
              key={key}
              type="button"
              class={`action ${kind}`}
              data-key={key}
              onClick={() => send(move, match, intent)}
            >
              {text}
            </button>
          ),
      )}
      {offer.calledPlays.size > 0 && (
        <button
          key="call"
          type="button"
          class="action toggle"
          data-key="call"
          aria-pressed={intent.isCalling.value}
          onClick={() => (intent.isCalling.value = !intent.isCalling.value)}
        >
          {w.call}
        </button>
      )}
      {myCards(table).length >= ORDER_FROM && (
        <button key="order" type="button" class="action quiet" data-key="order" onClick={reorder}>
          {order.value === "suit" ? words.board.byRank : words.board.bySuit}
        </button>
      )}
    </>
  );
}
