// From legal moves to what is offered. No rule of the game stands here.

import type { Gesture, LegalMove, Move, PlayCard } from "../../api/generated/games_truco.ts";
import { type Card, cardKey } from "../../cards/cards.ts";

/** How one card may be played. */
export interface Plays {
  readonly open?: Move;
  readonly covered?: Move;
}

/** What a person may do now. */
export interface Offer {
  /** By a card's key, or its place in a blind hand. */
  readonly plays: ReadonlyMap<string, Plays>;
  readonly signals: ReadonlyMap<Gesture, Move>;
  readonly accept?: Move;
  readonly raise?: Move & { readonly raise: { readonly hand: number; readonly value: number } };
  readonly fold?: Move;
  readonly playEleven?: Move;
  readonly declineEleven?: Move;
}

export const NOTHING: Offer = { plays: new Map(), signals: new Map() };

/** The offer of these legal moves. A move that loses by rule is legal, and not offered. */
export function offered(legalMoves: readonly LegalMove[]): Offer {
  const plays = new Map<string, Plays>();
  const signals = new Map<Gesture, Move>();
  const offer: { -readonly [Key in keyof Offer]: Offer[Key] } = { plays, signals };
  for (const { move, consequence } of legalMoves) {
    if (move === undefined || consequence !== "CONSEQUENCE_UNSPECIFIED") continue;
    if (move.playCard) {
      const key = playKey(move.playCard);
      plays.set(key, { ...plays.get(key), [move.playCard.covered ? "covered" : "open"]: move });
    } else if (move.signal) signals.set(move.signal.gesture, move);
    else if (move.raise) offer.raise = { ...move, raise: move.raise };
    else if (move.acceptRaise) offer.accept = move;
    else if (move.fold) offer.fold = move;
    else if (move.playElevenHand) offer.playEleven = move;
    else if (move.declineElevenHand) offer.declineEleven = move;
  }
  return offer;
}

/** Whether some card may go covered. */
export function canCover(offer: Offer): boolean {
  return [...offer.plays.values()].some((play) => play.covered !== undefined);
}

/** The key of the card in this place: its face, or its place in a blind hand. */
export function placeKey(card: Card | undefined, position: number | undefined): string {
  return card ? cardKey(card) : `place ${position ?? 0}`;
}

function playKey(play: PlayCard): string {
  return placeKey(play.card, play.position);
}
