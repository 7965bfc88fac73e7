// One seat: who sits there, how many cards they hold, who took a morto.

import { CardCount } from "../../play/card_count.tsx";
import { placing } from "../../play/places.ts";
import { Plate, Speech } from "../../play/plate.tsx";
import type { BuracoTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

export function Seat({ table, place }: { table: BuracoTable; place: number }) {
  const { match, view, buraco, seats } = table;
  const w = buracoWords.value.seat;
  const seat = seats.at(place);
  const position = placing(view)(place, seats.count);
  const isAwaited = view.clock?.seats.includes(seat) === true;
  const hasMorto = buraco.sides.some(({ mortoTaker }) => mortoTaker === seat);
  const count = buraco.hands.find((hand) => hand.seat === seat)?.count;
  return (
    <section class={`seat at-${position}${isAwaited ? " awaited" : ""}`} aria-label={seats.name(seat)}>
      <Plate match={match} seat={seat} isOurs={seats.isOurs(seat % 2)}>
        {count !== undefined && <CardCount count={count} />}
        {hasMorto && (
          <span class="tag morto-tag" title={w.tookMorto}>
            <span aria-hidden="true">{w.morto}</span>
            <span class="unseen">{w.tookMorto}</span>
          </span>
        )}
      </Plate>
      <Speech match={match} seat={seat} />
    </section>
  );
}
