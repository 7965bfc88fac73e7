// The open tables of the Sala Livre, and one's own to open.

import type { OpenTable } from "../../api/rooms.ts";
import { words } from "../../i18n/index.ts";
import type { Rooms } from "./rooms.ts";

export function TablesPanel({ rooms }: { rooms: Rooms }) {
  const w = words.value.rooms;
  const tables = rooms.tables.value;
  const counts = rooms.game.value?.player_counts ?? [];
  return (
    <section id="rooms-live" class="rooms-panel" aria-labelledby="rooms-live-title">
      <h2 id="rooms-live-title">{w.tables}</h2>
      {tables.length === 0 && <p class="dim">{w.noTables}</p>}
      <ul id="rooms-tables" class="open-tables">
        {tables.map((table, index) => (
          <Table key={table.table_id} rooms={rooms} table={table} number={index + 1} />
        ))}
      </ul>
      <div id="rooms-opens" class="row">
        {counts.map((seats) => (
          <button key={seats} type="button" onClick={() => rooms.openTable(seats)}>
            {counts.length === 1 ? w.open : w.openFor(seats)}
          </button>
        ))}
      </div>
    </section>
  );
}

function Table({ rooms, table, number }: { rooms: Rooms; table: OpenTable; number: number }) {
  const w = words.value.rooms;
  return (
    <li class="open-table" aria-label={w.table(number)}>
      <ol class="places">
        {table.seats.map((seat, index) =>
          seat === null ? (
            <li key={index}>
              <button
                type="button"
                aria-label={w.sitAt(number, index + 1)}
                onClick={() => rooms.sit(table.table_id, index)}
              >
                {w.sit}
              </button>
            </li>
          ) : (
            <li key={index} class="taken" title={seat.name ?? ""}>
              {seat.name ?? w.player}
            </li>
          ),
        )}
      </ol>
    </li>
  );
}
