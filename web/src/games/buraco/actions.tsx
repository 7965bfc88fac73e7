// What one may do now with the cards that are chosen, and ways that one may not have seen.

import { useRef } from "preact/hooks";
import type { Justification, Move } from "../../api/generated/games_buraco.ts";
import { type Card, cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { Slip } from "../../cards/slip.tsx";
import { useKeptFocus } from "../../play/focus.ts";
import type { Choice } from "./choice.ts";
import { adding, discarding, drawing, ending, laying, play, taking } from "./deeds.ts";
import { fits, mayTakeLixo, takingOf } from "./moves.ts";
import { cardsWords, meldWords, tellingName } from "./names.ts";
import { grouped } from "./order.ts";
import type { BuracoTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

interface ActionsProps {
  readonly table: BuracoTable;
  readonly choice: Choice;
  readonly chosen: readonly Card[];
}

interface Action {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
  readonly move: Move | null;
}

export function Actions({ table, choice, chosen }: ActionsProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const { legal, buraco, seats } = table;
  const w = buracoWords.value.actions;
  const isDrawing = legal?.drawStock === true;
  const [first] = chosen;
  const isForLixo = legal?.takeLixo === false && chosen.length > 0;
  const fitting = buraco.melds.filter(
    (meld) => legal !== null && !isDrawing && seats.isOurs(meld.side) && fits(legal, meld, chosen),
  );
  const buttons: readonly Action[] = [
    { key: "draw", kind: "primary", text: w.draw, move: drawing(table) },
    {
      key: "take",
      kind: "plain",
      text: isForLixo ? w.takeWith(chosen.length) : w.take(buraco.lixoCount),
      move: isDrawing && legal !== null && (mayTakeLixo(legal) || isForLixo) ? taking(table, chosen) : null,
    },
    { key: "lay", kind: "primary", text: w.lay(chosen.length), move: laying(table, chosen) },
    ...fitting.slice(0, 3).map((meld) => ({
      key: `add-${meld.number}`,
      kind: "plain",
      text: buracoWords.value.melds.addTo(tellingName(meld, fitting)),
      move: adding(table, meld.number, chosen),
    })),
    {
      key: "discard",
      kind: "raise",
      text: first === undefined ? "" : w.discard(cardWords(first)),
      move: discarding(table, chosen),
    },
    { key: "end", kind: "primary", text: w.endTurn, move: ending(table) },
  ];
  return (
    <>
      <div class="actions" id="actions" role="group" aria-label={w.label} tabIndex={-1} ref={group}>
        {buttons.map(
          ({ key, kind, text, move }) =>
            move !== null && (
              <button
                key={key}
                type="button"
                class={`action ${kind}`}
                data-key={key}
                onClick={() => play(table, move)}
              >
                {text}
              </button>
            ),
        )}
        {chosen.length > 0 && (
          <button
            key="put-back"
            type="button"
            class="action quiet"
            data-key="put-back"
            onClick={() => choice.only([])}
          >
            {buracoWords.value.hand.clear}
          </button>
        )}
      </div>
      {isDrawing && legal !== null && legal.justifications.length > 0 && <Ways table={table} />}
      {!isDrawing && legal !== null && legal.newMelds.length > 0 && <Found table={table} choice={choice} />}
    </>
  );
}

/** The ways to put the lixo's top card on the table: one tap takes it so. */
function Ways({ table }: { table: BuracoTable }) {
  const w = buracoWords.value.actions;
  const { legal, buraco } = table;
  if (legal === null) return null;
  return (
    <details class="ways" id="ways" open={legal.justifications.length <= 4}>
      <summary>
        {w.ways} ({legal.justifications.length}
        {legal.moreJustifications ? "+" : ""})
      </summary>
      <div class="way-list">
        {legal.justifications.map((way, index) => (
          <button
            key={index}
            type="button"
            class="way-button"
            aria-label={wayWords(table, way)}
            onClick={() => play(table, takingOf(legal, way))}
          >
            {way.meld !== undefined && <span>{nameOf(table, way.meld)}</span>}
            {[...buraco.lixo.slice(-1), ...way.cards].map((card) => (
              <Slip key={cardKey(card)} card={card} />
            ))}
          </button>
        ))}
      </div>
      {legal.moreJustifications && <p class="dim">{w.moreWays}</p>}
    </details>
  );
}

function wayWords({ buraco }: BuracoTable, { meld, cards }: Justification): string {
  const w = buracoWords.value.actions;
  if (meld === undefined) return w.wayNew(cardsWords(cards));
  const onto = buraco.melds.find(({ number }) => number === meld);
  return w.wayOnto(onto === undefined ? "" : meldWords(onto), cardsWords(cards));
}

function nameOf({ buraco }: BuracoTable, number: number): string {
  const meld = buraco.melds.find((one) => one.number === number);
  if (meld === undefined) return "";
  return tellingName(
    meld,
    buraco.melds.filter(({ side }) => side === meld.side),
  );
}

/** The melds that the hand holds, for who wants to be shown them: a tap chooses the cards. */
function Found({ table, choice }: { table: BuracoTable; choice: Choice }) {
  const w = buracoWords.value.actions;
  const { legal } = table;
  if (legal === null) return null;
  return (
    <details class="ways" id="found">
      <summary>{w.found(legal.newMelds.length, legal.moreMelds)}</summary>
      <div class="way-list">
        {legal.newMelds.map(({ cards }, index) => (
          <button
            key={index}
            type="button"
            class="way-button"
            aria-label={w.choose(cardsWords(cards))}
            onClick={() => choice.only(cards)}
          >
            {grouped(cards, "suit")
              .flat()
              .map((card) => (
                <Slip key={cardKey(card)} card={card} />
              ))}
          </button>
        ))}
      </div>
    </details>
  );
}
