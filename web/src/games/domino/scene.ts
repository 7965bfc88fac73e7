// From one view to the next: what to show on the way, so that a person sees who passed and how a round ended.

import type { Event, TilePlayed, View } from "../../api/generated/games_domino.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Interlude } from "../game.ts";
import { tileKey } from "./table.ts";

const PASS_PAUSE_MS = 700;
const ROUND_PAUSE_MS = 4000;

/** The table as it stood when somebody passed, and when a round ended, from the view before and the events that led there. */
export function interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[] {
  if (before.domino === undefined) return [];
  const shown: Interlude[] = [];
  let domino: View = { ...before.domino, legalMoves: [] };
  for (const event of events) {
    if (event.domino === undefined) continue;
    if (event.domino.roundDealt) break;
    domino = after(domino, event.domino);
    if (event.domino.seatPassed) shown.push(interlude(before, domino, event, PASS_PAUSE_MS));
    if (event.domino.roundEnded) shown.push(interlude(before, domino, event, ROUND_PAUSE_MS));
  }
  return shown;
}

function interlude(before: TableView, domino: View, event: TableEvent, pauseMs: number): Interlude {
  const { clock: _, ...rest } = before;
  return { view: { ...rest, domino }, event, pauseMs };
}

function after(domino: View, event: Event): View {
  if (event.tilePlayed) return played(domino, event.tilePlayed);
  if (event.seatPassed) return { ...domino, passes: [...domino.passes, event.seatPassed] };
  if (event.roundEnded) return { ...domino, score: event.roundEnded.score };
  return domino;
}

function played(domino: View, play: TilePlayed): View {
  const { tile, ends } = play;
  if (tile === undefined || ends === undefined) return domino;
  const hands = domino.hands.map((hand) =>
    hand.seat === play.seat
      ? {
          ...hand,
          count: hand.count - 1,
          tiles: hand.tiles.filter((held) => tileKey(held) !== tileKey(tile)),
        }
      : hand,
  );
  return { ...domino, ends, hands, plays: [...domino.plays, play] };
}
