// What to show on the way from one view to the next: the card that ends the match, before everything is told.

import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Interlude } from "../game.ts";

const END_PAUSE_MS = 1800;

export function interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[] {
  const end = events.find((event) => event.mauMau?.matchEnded);
  if (before.mauMau === undefined || end === undefined) return [];
  const last = events.find((event) => event.mauMau?.cardPlayed)?.mauMau?.cardPlayed;
  const { clock: _, ...rest } = before;
  const { toPlay: __, ...still } = before.mauMau;
  const left = end.mauMau?.matchEnded?.cardsLeft ?? [];
  const mauMau = {
    ...still,
    ...(last?.card === undefined ? {} : { top: last.card, suit: last.suit }),
    legalMoves: [],
    hands: still.hands.map((hand) => {
      const cards = hand.seat === last?.seat ? [] : hand.cards;
      return { ...hand, cards, count: left[hand.seat] ?? hand.count };
    }),
  };
  return [{ view: { ...rest, mauMau }, event: end, pauseMs: END_PAUSE_MS }];
}
