// One seat round the table: who sits there, how many cards they hold, what they say.

import { CardCount } from "../../play/card_count.tsx";
import { placing } from "../../play/places.ts";
import { Plate, Speech } from "../../play/plate.tsx";
import type { MauMauTable } from "./table.ts";
import { mauMauWords } from "./words/index.ts";

export function Seat({ table, place }: { readonly table: MauMauTable; readonly place: number }) {
  const { match, view, mauMau, seats } = table;
  const w = mauMauWords.value.board;
  const seat = seats.at(place);
  const position = placing(view)(place, seats.count);
  const isAwaited = view.clock?.seats.includes(seat) === true;
  const count = mauMau.hands.find((one) => one.seat === seat)?.count ?? 0;
  return (
    <section class={`seat at-${position}${isAwaited ? " awaited" : ""}`} aria-label={seats.name(seat)}>
      <Plate match={match} seat={seat} isOurs={null}>
        <CardCount count={count} />
        {seat === mauMau.dealer && mauMau.turn === 1 && (
          <span class="tag dealer" title={w.dealerTitle}>
            {w.dealer}
          </span>
        )}
        {seat === mauMau.forgotSeat && (
          <span class="tag absent" title={w.forgotTitle}>
            {w.forgot}
          </span>
        )}
      </Plate>
      <Speech match={match} seat={seat} />
    </section>
  );
}
