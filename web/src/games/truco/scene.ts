// From one view to the next: what to show on the way, so that a person sees how a trick and a hand ended.

import type { CardPlayed, Event, Trick, View } from "../../api/generated/games_truco.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import { isSame } from "../../cards/cards.ts";
import type { Interlude } from "../game.ts";

const TRICK_PAUSE_MS = 1300;
const HAND_PAUSE_MS = 2600;

/**
 * The table as it stood when a trick or a hand ended, from the view before and the events that led there. A trick that
 * ends its hand is shown once, with the hand's end.
 */
export function interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[] {
  if (before.truco === undefined) return [];
  let truco: View = { ...before.truco, legalMoves: [] };
  let trickEnd: TableEvent | undefined;
  for (const event of events) {
    if (event.truco === undefined) continue;
    if (event.truco.handDealt) break;
    truco = after(truco, event.truco);
    if (event.truco.trickEnded) trickEnd = event;
    if (event.truco.handEnded) return [interlude(before, truco, event, HAND_PAUSE_MS)];
  }
  return trickEnd === undefined ? [] : [interlude(before, truco, trickEnd, TRICK_PAUSE_MS)];
}

function interlude(before: TableView, truco: View, event: TableEvent, pauseMs: number): Interlude {
  const { clock: _, ...rest } = before;
  const { pendingRaise: __, ...still } = truco;
  return { view: { ...rest, truco: still }, event, pauseMs };
}

function after(truco: View, event: Event): View {
  if (event.cardPlayed) return played(truco, event.cardPlayed);
  if (event.raiseAccepted) return { ...truco, value: event.raiseAccepted.value };
  if (event.elevenHandPlayed) return { ...truco, value: event.elevenHandPlayed.value };
  if (event.handEnded) return { ...truco, score: event.handEnded.score };
  if (event.trickEnded) {
    const last = truco.tricks.at(-1);
    if (last === undefined) return truco;
    const { winnerSeat } = event.trickEnded;
    const over: Trick = { ...last, isOver: true, ...(winnerSeat === undefined ? {} : { winnerSeat }) };
    return { ...truco, tricks: [...truco.tricks.slice(0, -1), over] };
  }
  return truco;
}

function played(truco: View, { trick, seat, card, covered }: CardPlayed): View {
  const tricks = [...truco.tricks];
  if (tricks.length < trick) tricks.push({ leader: seat, cards: [], isOver: false });
  const last = tricks.pop();
  if (last === undefined) return truco;
  const shown = card === undefined ? { seat, covered } : { seat, card, covered };
  tricks.push({ ...last, cards: [...last.cards, shown] });
  const hands = truco.hands.map((hand) => {
    if (hand.seat !== seat) return hand;
    const place = card === undefined ? -1 : hand.cards.findIndex((held) => isSame(held, card));
    const at = place >= 0 ? place : hand.cards.length === 0 ? hand.positions.length - 1 : -1;
    return {
      ...hand,
      count: hand.count - 1,
      cards: hand.cards.filter((_, index) => index !== place),
      positions: hand.positions.filter((_, index) => index !== at),
    };
  });
  return { ...truco, tricks, hands };
}

/** The trick to show: the current one, or the last one until its successor's first card. */
export function shownTrick(truco: View): Trick | null {
  return truco.tricks.findLast((trick) => trick.cards.length > 0) ?? null;
}
