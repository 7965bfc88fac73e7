// The hands that were played before, from the events that came.

import type { PlayedCard } from "../../api/generated/games_truco.ts";
import type { TableEvent } from "../../api/generated/table.ts";
import { type Card, rankLetter } from "../../cards/cards.ts";

export interface PastTrick {
  readonly cards: readonly PlayedCard[];
  /** Undefined where it was tied, or broken off. */
  readonly winnerSeat: number | undefined;
}

export interface PastHand {
  readonly hand: number;
  readonly vira: Card | undefined;
  readonly tricks: readonly PastTrick[];
  /** The side that scored, if one did. */
  readonly winnerSide: number | undefined;
  readonly points: number;
}

const RANKS = ["4", "5", "6", "7", "Q", "J", "K", "A", "2", "3"];

/** Whether a card was a manilha of the hand with this vira: of the rank after its own. */
export function wasManilha(card: Card, vira: Card | undefined): boolean {
  if (vira === undefined) return false;
  const next = (RANKS.indexOf(rankLetter(vira.rank)) + 1) % RANKS.length;
  return rankLetter(card.rank) === RANKS[next];
}

/** Ended hands, the newest first. A hand that one came into the middle of is shown as far as it was seen. */
export function pastHands(events: readonly TableEvent[]): readonly PastHand[] {
  const hands: PastHand[] = [];
  let vira: Card | undefined;
  let tricks: { cards: PlayedCard[]; winnerSeat: number | undefined }[] = [];
  for (const { truco: event } of events) {
    if (event?.handDealt) {
      vira = event.handDealt.vira;
      tricks = [];
    } else if (event?.cardPlayed) {
      const { trick, seat, card, covered } = event.cardPlayed;
      const current = (tricks[trick - 1] ??= { cards: [], winnerSeat: undefined });
      current.cards.push(card === undefined ? { seat, covered } : { seat, card, covered });
    } else if (event?.trickEnded) {
      const ended = tricks[event.trickEnded.trick - 1];
      if (ended !== undefined) ended.winnerSeat = event.trickEnded.winnerSeat;
    } else if (event?.handEnded) {
      const { hand, winnerSide, points } = event.handEnded;
      hands.unshift({ hand, vira, tricks: tricks.filter(Boolean), winnerSide, points });
      vira = undefined;
      tricks = [];
    }
  }
  return hands;
}
