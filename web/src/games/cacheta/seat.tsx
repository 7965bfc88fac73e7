// One seat round the table: who sits there, the points left, what they have said, whether they are burnt or out.

import { placing } from "../../play/places.ts";
import { Plate, Speech } from "../../play/plate.tsx";
import type { CachetaTable } from "./table.ts";
import { cachetaWords } from "./words/index.ts";

export function Seat({ table, place }: { readonly table: CachetaTable; readonly place: number }) {
  const { match, view, cacheta, seats } = table;
  const words = cachetaWords.value;
  const w = words.board;
  const seat = seats.at(place);
  const points = cacheta.points[seat] ?? 0;
  const isAwaited = view.clock?.seats.includes(seat) === true;
  const state = `${isAwaited ? " awaited" : ""}${points === 0 ? " fallen" : ""}`;
  return (
    <section class={`seat at-${placing(view)(place, seats.count)}${state}`} aria-label={seats.name(seat)}>
      <Plate match={match} seat={seat} isOurs={null}>
        {points === 0 ? (
          <span class="tag absent">{w.fallen}</span>
        ) : (
          <span class={`tag lives${points <= 2 ? " few-lives" : ""}`}>
            <span aria-hidden="true">{points}</span>
            <span class="unseen">{words.points(points)}</span>
          </span>
        )}
        {seat === cacheta.starter && (
          <span class="tag dealer" title={w.starterTitle}>
            {w.starter}
          </span>
        )}
        {cacheta.burntSeats.includes(seat) ? (
          <span class="tag burnt" title={w.burntTitle}>
            {w.burnt}
          </span>
        ) : (
          cacheta.announcedSeats.includes(seat) && (
            <span class="tag na-boa" title={w.naBoaTitle}>
              {w.naBoa}
            </span>
          )
        )}
      </Plate>
      <Speech match={match} seat={seat} />
    </section>
  );
}
