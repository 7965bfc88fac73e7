// What this browser sees of Mau Mau's cards while they are played, kept for the check.

import type { TableUpdate } from "../../api/generated/table.ts";
import { type Card, cardCode } from "../../cards/cards.ts";

export interface SeenDeal {
  dealer?: number;
  turned?: string;
  /** One's own five cards, if one was there before anything was played. */
  hand?: string;
  /** By the event's version: the seat and the cards that it played, or that one drew oneself. */
  events: Record<string, string>;
}

const DEALT = 5;

/** Keeps what an update shows: what happened, and the view before the first card is played. */
export function seeDeals(known: unknown, update: TableUpdate): SeenDeal {
  const seen: SeenDeal = { events: {}, ...(known as Partial<SeenDeal>) };
  for (const { version, mauMau: event } of update.events) {
    if (event?.cardPlayed?.card)
      seen.events[version] = seenText(event.cardPlayed.seat, [event.cardPlayed.card]);
    const drawn = event?.cardsDrawn ?? event?.penaltyTaken;
    if (drawn !== undefined && drawn.cards.length > 0) {
      seen.events[version] = seenText(drawn.seat, drawn.cards);
    }
  }
  const { view } = update;
  const { mauMau } = view ?? {};
  if (mauMau === undefined || view?.status !== "TABLE_STATUS_PLAYING") return seen;
  seen.dealer = mauMau.dealer;
  if (mauMau.pileCount === 1 && mauMau.turn === 1 && mauMau.top !== undefined) {
    seen.turned = cardCode(mauMau.top);
    const mine = mauMau.hands.find(({ seat }) => seat === view.yourSeat);
    if (mine !== undefined) seen.hand = mine.cards.slice(0, DEALT).map(cardCode).join();
  }
  return seen;
}

function seenText(seat: number, cards: readonly Card[]): string {
  return `${seat} ${cards.map(cardCode).join()}`;
}
