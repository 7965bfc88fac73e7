// From one view to the next: what to show on the way, so that a person sees how a trick and a hand ended.

import type { CardPlayed, Event, Trick, TrickEnded, View } from "../../api/generated/games_sueca.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import { isSame } from "../../cards/cards.ts";
import type { Interlude } from "../game.ts";

const TRICK_PAUSE_MS = 1300;
const HAND_PAUSE_MS = 3200;

/**
 * The table as it stood when a trick or a hand ended, from the view before and the events that led there. A trick that
 * ends its hand is shown once, with the hand's end.
 */
export function interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[] {
  if (before.sueca === undefined) return [];
  let sueca: View = { ...before.sueca, legalMoves: [] };
  let trickEnd: TableEvent | undefined;
  for (const event of events) {
    if (event.sueca === undefined) continue;
    if (event.sueca.handDealt) break;
    sueca = after(sueca, event.sueca);
    if (event.sueca.trickEnded) trickEnd = event;
    if (event.sueca.handEnded) return [interlude(before, sueca, event, HAND_PAUSE_MS)];
  }
  return trickEnd === undefined ? [] : [interlude(before, sueca, trickEnd, TRICK_PAUSE_MS)];
}

function interlude(before: TableView, sueca: View, event: TableEvent, pauseMs: number): Interlude {
  const { clock: _, ...rest } = before;
  return { view: { ...rest, sueca }, event, pauseMs };
}

function after(sueca: View, event: Event): View {
  if (event.cardPlayed) return played(sueca, event.cardPlayed);
  if (event.trickEnded) return ended(sueca, event.trickEnded);
  if (event.handEnded) {
    const { score, cardPoints, carry } = event.handEnded;
    return { ...sueca, score, cardPoints, carry };
  }
  return sueca;
}

function ended(sueca: View, { winnerSeat, points }: TrickEnded): View {
  const last = sueca.tricks.at(-1);
  if (last === undefined) return sueca;
  const tricks = [...sueca.tricks.slice(0, -1), { ...last, winnerSeat, points }];
  const cardPoints = sueca.cardPoints.map((taken, side) =>
    side === winnerSeat % 2 ? taken + points : taken,
  );
  return { ...sueca, tricks, cardPoints };
}

function played(sueca: View, { trick, seat, card }: CardPlayed): View {
  if (card === undefined) return sueca;
  const tricks = [...sueca.tricks];
  if (tricks.length < trick) tricks.push({ leader: seat, cards: [], points: 0 });
  const last = tricks.pop();
  if (last === undefined) return sueca;
  tricks.push({ ...last, cards: [...last.cards, { seat, card }] });
  const hands = sueca.hands.map((hand) =>
    hand.seat === seat
      ? { ...hand, count: hand.count - 1, cards: hand.cards.filter((held) => !isSame(held, card)) }
      : hand,
  );
  const isTrumpHeld = sueca.isTrumpHeld && !(sueca.trumpCard !== undefined && isSame(sueca.trumpCard, card));
  return { ...sueca, tricks, hands, isTrumpHeld };
}

/** The trick to show: the current one, or the last one until its successor's first card. */
export function shownTrick(sueca: View): Trick | null {
  return sueca.tricks.findLast((trick) => trick.cards.length > 0) ?? null;
}

/** The last trick that is over, where it is not on the table any more. */
export function lastTrick(sueca: View): Trick | null {
  const shown = shownTrick(sueca);
  return sueca.tricks.findLast((trick) => trick.winnerSeat !== undefined && trick !== shown) ?? null;
}
