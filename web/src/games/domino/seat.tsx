// One seat round the table: who sits there, how many tiles are left, who passed last and on what.

import { placing } from "../../play/places.ts";
import { Plate, Speech } from "../../play/plate.tsx";
import { passOf } from "./passes.ts";
import type { DominoTable } from "./table.ts";
import { dominoWords } from "./words/index.ts";

export function Seat({ table, place }: { table: DominoTable; place: number }) {
  const { match, view, domino, seats } = table;
  const w = dominoWords.value.board;
  const seat = seats.at(place);
  const isAwaited = view.clock?.seats.includes(seat) === true;
  const count = domino.hands.find((hand) => hand.seat === seat)?.count ?? 0;
  const pass = passOf(domino, seat);
  return (
    <section
      class={`seat at-${placing(view)(place, seats.count)}${isAwaited ? " awaited" : ""}`}
      aria-label={seats.name(seat)}
    >
      <Plate match={match} seat={seat} isOurs={seats.isOurs(seat % 2)}>
        {!seats.isMe(seat) && <TileCount count={count} />}
        {seat === domino.starter && (
          <span class="tag dealer" title={w.starterTitle}>
            {w.starter}
          </span>
        )}
        {pass !== null && (
          <span class="tag absent passed" title={w.passedOn(pass.left, pass.right)}>
            {w.passed}
            <span class="unseen">. {w.passedOn(pass.left, pass.right)}</span>
          </span>
        )}
      </Plate>
      <Speech match={match} seat={seat} />
    </section>
  );
}

function TileCount({ count }: { count: number }) {
  return (
    <span class={`tile-count${count === 1 ? " last-tile" : ""}`}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} class="tile-back" aria-hidden="true" />
      ))}
      <span class="unseen">{dominoWords.value.board.tiles(count)}</span>
    </span>
  );
}
