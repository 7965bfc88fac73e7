// The match as Sueca's parts of the table need it.

import type { LegalMove, Move, View } from "../../api/generated/games_sueca.ts";
import type { TableView } from "../../api/generated/table.ts";
import { type Card, cardKey } from "../../cards/cards.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";
import { handOrder } from "./order.ts";

/** One card of one's hand, and the move that plays it now, if it may be played. */
export interface HeldCard {
  readonly card: Card;
  readonly move: Move | undefined;
}

export interface SuecaTable {
  readonly match: Match;
  readonly view: TableView;
  readonly sueca: View;
  readonly seats: Seats;
  /** One's own cards as they are shown. */
  readonly held: readonly HeldCard[];
}

/** Null before the first view. */
export function suecaTable(match: Match): SuecaTable | null {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view?.sueca === undefined || seats === null) return null;
  const { sueca } = view;
  const moves = offered(match.canAct.value ? sueca.legalMoves : []);
  const mine = seats.isMineKnown ? sueca.hands.find((hand) => seats.isMe(hand.seat)) : undefined;
  const held = handOrder(mine?.cards ?? [], sueca.trumpCard).map((card) => ({
    card,
    move: moves.get(cardKey(card)),
  }));
  return { match, view, sueca, seats, held };
}

/** The moves by the key of the card that they play. */
export function offered(legalMoves: readonly LegalMove[]): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>();
  for (const { move } of legalMoves) {
    if (move?.playCard?.card !== undefined) moves.set(cardKey(move.playCard.card), move);
  }
  return moves;
}

/** Whether a card is of the trump suit. */
export function isTrump(sueca: View, card: Card): boolean {
  return card.suit === sueca.trumpCard?.suit;
}
