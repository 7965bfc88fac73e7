// One seat round the table: who sits there, how many cards are left, who dealt.

import { CardCount } from "../../play/card_count.tsx";
import { placing } from "../../play/places.ts";
import { Plate, Speech } from "../../play/plate.tsx";
import type { SuecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

export function Seat({ table, place }: { table: SuecaTable; place: number }) {
  const { match, view, sueca, seats } = table;
  const w = suecaWords.value.board;
  const seat = seats.at(place);
  const isAwaited = view.clock?.seats.includes(seat) === true;
  const hand = sueca.hands.find((one) => one.seat === seat);
  return (
    <section
      class={`seat at-${placing(view)(place, seats.count)}${isAwaited ? " awaited" : ""}`}
      aria-label={seats.name(seat)}
    >
      <Plate match={match} seat={seat} isOurs={seats.isOurs(seat % 2)}>
        {!seats.isMe(seat) && hand !== undefined && <CardCount count={hand.count} />}
        {seat === sueca.dealer && (
          <span class="tag dealer" title={w.dealerTitle}>
            {w.dealer}
          </span>
        )}
      </Plate>
      <Speech match={match} seat={seat} />
    </section>
  );
}
