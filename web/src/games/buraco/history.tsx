// The points of the deals, part by part, and what was left when the match had ended.

import type { SideScore } from "../../api/generated/games_buraco.ts";
import { type Card, cardKey } from "../../cards/cards.ts";
import { Chip } from "../../cards/chip.tsx";
import type { Match } from "../../play/match.ts";
import { sideName, sidesFromOurs } from "./names.ts";
import { order } from "./choice.ts";
import { grouped } from "./order.ts";
import { countingParts } from "./parts.ts";
import { type BuracoTable, buracoTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

export function History({ match }: { match: Match }) {
  const table = buracoTable(match);
  if (table === null) return null;
  const w = buracoWords.value;
  const deals = match.events.value.flatMap(({ buraco }) => buraco?.dealEnded ?? []).toReversed();
  const { scored, deal, phase } = table.buraco;
  // Who came after its end knows the last deal from the view alone.
  const isUntold = deals.length === 0 && scored.length > 0;
  return (
    <div class="history buraco-history">
      {isUntold && <Points table={table} number={phase === "PHASE_OVER" ? deal : deal - 1} sides={scored} />}
      {deals.map((ended) => (
        <Points key={ended.deal} table={table} number={ended.deal} sides={ended.sides} />
      ))}
      {deals.length === 0 && !isUntold && <p class="dim">{w.history.none}</p>}
      {phase === "PHASE_OVER" && <Left table={table} />}
    </div>
  );
}

function Points({
  table,
  number,
  sides,
}: {
  table: BuracoTable;
  number: number;
  sides: readonly SideScore[];
}) {
  const words = buracoWords.value;
  const w = words.history;
  const shown = sidesFromOurs(table.seats);
  return (
    <table class="points">
      <caption>{w.deal(words.ordinal(number))}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{w.part}</span>
          </th>
          {shown.map((side) => (
            <th key={side} scope="col" class={table.seats.isOurs(side) ? "ours" : "theirs"}>
              {sideName(table.seats, side)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...countingParts(sides), "total" as const].map((part) => (
          <tr key={part} class={part}>
            <th scope="row">{w.parts[part]}</th>
            {shown.map((side) => (
              <td key={side}>{sides[side]?.[part] ?? 0}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The cards that were in hands, in the stock and in mortos. */
function Left({ table: { buraco, seats } }: { table: BuracoTable }) {
  const w = buracoWords.value.history;
  const rows: readonly (readonly [string, readonly Card[]])[] = [
    ...buraco.hands.map(({ seat, cards }) => [w.held(seats.who(seat)), cards] as const),
    ...buraco.mortos.map(({ cards }) => [w.morto, cards] as const),
    [w.stock, buraco.stock],
  ];
  return (
    <section>
      <h3>{w.left}</h3>
      <dl class="left">
        {rows.map(([name, cards], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              {cards.length === 0
                ? w.nothing
                : grouped(cards, order.value)
                    .flat()
                    .map((card) => <Chip key={cardKey(card)} card={card} />)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
