// What this browser sees of Cacheta's cards while they are played, kept for the check.

import type { TableUpdate } from "../../api/generated/table.ts";
import { type Card, rankLetter, suitName } from "../../cards/cards.ts";

/** What was seen of one round. */
export interface SeenRound {
  vira?: string;
  starter?: number;
  /** One's own nine cards, if one was there before anything was drawn. */
  hand?: string;
}

export interface SeenDeals {
  readonly rounds: Record<string, SeenRound>;
  /** By the event's version: who drew, took or discarded which card. */
  readonly events: Record<string, string>;
}

const DEALT = 9;

/** A card's code as the record writes it: "TPb". */
export function packedCode({ rank, suit, pack }: Card): string {
  const letter = rankLetter(rank);
  return (
    (letter === "10" ? "T" : letter) + (suitName(suit) ?? "").charAt(0).toUpperCase() + "ab".charAt(pack)
  );
}

/** The code of a card's face alone, as cards are drawn by: "10P". */
export function faceCode(code: string): string {
  return code.slice(0, 2).replace("T", "10");
}

/** Keeps what an update shows: what happened, and the view before the first card of a round is drawn. */
export function seeDeals(known: unknown, update: TableUpdate): SeenDeals {
  const seen: SeenDeals = { rounds: {}, events: {}, ...(known as Partial<SeenDeals>) };
  for (const { version, cacheta: event } of update.events) {
    const told = event?.cardDrawn ?? event?.discardTaken ?? event?.cardDiscarded;
    if (told?.card) seen.events[version] = `${told.seat} ${packedCode(told.card)}`;
    if (event?.roundDealt?.vira) {
      const { round, vira, starter } = event.roundDealt;
      seen.rounds[round] = { ...seen.rounds[round], vira: packedCode(vira), starter };
    }
  }
  const { view } = update;
  const { cacheta } = view ?? {};
  if (cacheta?.vira === undefined || view?.status !== "TABLE_STATUS_PLAYING") return seen;
  const round = (seen.rounds[cacheta.round] ??= {});
  round.vira = packedCode(cacheta.vira);
  round.starter = cacheta.starter;
  const mine = cacheta.hands.find(({ seat }) => seat === view.yourSeat);
  if (cacheta.turn === 1 && mine?.cards.length === DEALT && cacheta.phase === "PHASE_DRAW") {
    round.hand = mine.cards.map(packedCode).join();
  }
  return seen;
}
