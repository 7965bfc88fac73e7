// The match as Cacheta's parts of the table need it.

import type { View } from "../../api/generated/games_cacheta.ts";
import type { TableView } from "../../api/generated/table.ts";
import { type Card, cardKey } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { NOTHING, type Offer, offered } from "./moves.ts";
import { cachetaWords } from "./words/index.ts";

export interface CachetaTable {
  readonly match: Match;
  readonly view: TableView;
  readonly cacheta: View;
  readonly seats: Seats;
  /** What may be done now: nothing while an answer is on its way or something is looked at. */
  readonly offer: Offer;
}

/** Null before the first view. */
export function cachetaTable(match: Match): CachetaTable | null {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view?.cacheta === undefined || seats === null) return null;
  const offer = match.canAct.value ? offered(view.cacheta.legalMoves) : NOTHING;
  return { match, view, cacheta: view.cacheta, seats, offer };
}

/** One's own cards in the order of their arrival; none for who watches. */
export function myCards({ cacheta, seats }: CachetaTable): readonly Card[] {
  return cacheta.hands.find((one) => seats.isMe(one.seat))?.cards ?? [];
}

/** Whether a card is wild in this round; both packs of it are. */
export function isWild({ wilds }: View, card: Card): boolean {
  return wilds.some(({ rank, suit }) => rank === card.rank && suit === card.suit);
}

/** The card that has just come into one's hand, while one is to discard. */
export function drawnCard(table: CachetaTable): string | null {
  const { cacheta, seats } = table;
  const last = myCards(table).at(-1);
  const isMyPlay = cacheta.phase === "PHASE_PLAY" && seats.isMe(cacheta.toPlay);
  return isMyPlay && last !== undefined ? cardKey(last) : null;
}

/** A card in words, and that it is wild where it is. */
export function named(cacheta: View, card: Card): string {
  const name = cardWords(card);
  return isWild(cacheta, card) ? cachetaWords.value.board.wild(name) : name;
}
