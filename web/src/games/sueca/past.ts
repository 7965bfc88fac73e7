// The hands that were played before, from the events that came.

import type { HandEnded, PlayedCard } from "../../api/generated/games_sueca.ts";
import type { TableEvent } from "../../api/generated/table.ts";
import type { Card } from "../../cards/cards.ts";

export interface PastTrick {
  readonly cards: readonly PlayedCard[];
  /** Undefined while it goes on. */
  readonly winnerSeat: number | undefined;
}

export interface PastHand {
  readonly trumpCard: Card | undefined;
  readonly tricks: readonly PastTrick[];
  readonly end: HandEnded;
}

/** Ended hands, the newest first. A hand that one came into the middle of is shown as far as it was seen. */
export function pastHands(events: readonly TableEvent[]): readonly PastHand[] {
  const hands: PastHand[] = [];
  let trumpCard: Card | undefined;
  let tricks: { cards: PlayedCard[]; winnerSeat: number | undefined }[] = [];
  for (const { sueca: event } of events) {
    if (event?.handDealt) {
      ({ trumpCard } = event.handDealt);
      tricks = [];
    } else if (event?.cardPlayed?.card) {
      const { trick, seat, card } = event.cardPlayed;
      (tricks[trick - 1] ??= { cards: [], winnerSeat: undefined }).cards.push({ seat, card });
    } else if (event?.trickEnded) {
      const ended = tricks[event.trickEnded.trick - 1];
      if (ended !== undefined) ended.winnerSeat = event.trickEnded.winnerSeat;
    } else if (event?.handEnded) {
      hands.unshift({ trumpCard, tricks: tricks.filter(Boolean), end: event.handEnded });
      trumpCard = undefined;
      tricks = [];
    }
  }
  return hands;
}
