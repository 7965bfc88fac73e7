// A table with robots as one wishes it, and the same one again.

import type { Place } from "../api/generated/http.ts";
import type { TableView } from "../api/generated/table.ts";
import { practiceCommitment, startTraining } from "../api/matches.ts";
import { newEntropy } from "../fairness/bytes.ts";
import { keepPromise } from "../fairness/witness.ts";
import { mustSession } from "../session/session.ts";
import { load, save } from "../session/storage.ts";

export interface Training {
  readonly preset: string;
  readonly seats: number;
  readonly strength: string;
}

/** Begins a match against robots. Raises ApiError. */
export async function train({ preset, seats, strength }: Training): Promise<Place> {
  const { token } = mustSession();
  const wish = { command_id: crypto.randomUUID(), preset, seats, strength, entropy: newEntropy() };
  // In this order: the server is bound before it knows what we add.
  const { commitment } = await practiceCommitment(token, wish.command_id);
  const place = await startTraining(token, wish);
  if (place.table_id !== null) keepPromise(place.table_id, commitment, wish.entropy);
  save("training", { tableId: place.table_id, preset, seats, strength });
  return place;
}

/** How this table's training was wished for; null where it was not, or not here. */
export function trainingOf(view: TableView): Training | null {
  const last = load<Training & { readonly tableId: string }>("training");
  return last !== null && last.tableId === view.tableId ? last : null;
}

/** Whether one person plays there, with robots. */
export function isWithRobots(view: TableView): boolean {
  return view.seats.filter((seat) => seat.kind === "SEAT_KIND_PERSON").length === 1;
}
