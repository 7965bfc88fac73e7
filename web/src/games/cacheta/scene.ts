// From one view to the next: what to show on the way, so that a person sees who burnt and how a round ended.

import type { View } from "../../api/generated/games_cacheta.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Interlude } from "../game.ts";

const BURNT_PAUSE_MS = 1600;
const ROUND_PAUSE_MS = 4500;
const VOID_PAUSE_MS = 2600;

/** The table as it stood when a claim failed or a round ended, with the melds that were laid down. */
export function interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[] {
  if (before.cacheta === undefined) return [];
  const shown: Interlude[] = [];
  const { window: _, ...rest } = before.cacheta;
  let cacheta: View = { ...rest, legalMoves: [] };
  for (const event of events) {
    const { jumpFailed, wentOut, roundEnded, roundVoided, roundDealt } = event.cacheta ?? {};
    if (roundDealt) break;
    if (jumpFailed?.burnt) {
      cacheta = { ...cacheta, burntSeats: [...cacheta.burntSeats, jumpFailed.seat] };
      shown.push(interlude(before, cacheta, event, BURNT_PAUSE_MS));
    } else if (wentOut) {
      const { discard, seat } = wentOut;
      // What is laid down is in no hand any more.
      const hands = cacheta.hands.map((hand) =>
        hand.seat === seat ? { ...hand, cards: [], count: 0 } : hand,
      );
      cacheta = { ...cacheta, hands, laid: wentOut.melds, toPlay: seat };
      if (discard !== undefined) {
        cacheta = { ...cacheta, discardTop: discard, discardCount: cacheta.discardCount + 1 };
      }
    } else if (roundEnded) {
      cacheta = { ...cacheta, points: roundEnded.points };
      shown.push(interlude(before, cacheta, event, ROUND_PAUSE_MS));
    } else if (roundVoided) shown.push(interlude(before, cacheta, event, VOID_PAUSE_MS));
  }
  return shown;
}

function interlude(before: TableView, cacheta: View, event: TableEvent, pauseMs: number): Interlude {
  const { clock: _, ...rest } = before;
  return { view: { ...rest, cacheta }, event, pauseMs };
}
