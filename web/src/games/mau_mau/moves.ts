// From legal moves to what is offered. No rule of the game stands here.

import type { LegalMove, Move } from "../../api/generated/games_mau_mau.ts";
import { cardKey, type Suit } from "../../cards/cards.ts";

/** How one card may be played: by the suit that is named with it, or by no suit. */
export type Plays = ReadonlyMap<Suit, Move>;

/** What a person may do now. */
export interface Offer {
  /** By a card's key. */
  readonly plays: ReadonlyMap<string, Plays>;
  /** The same, said with "mau-mau". */
  readonly calledPlays: ReadonlyMap<string, Plays>;
  readonly draw?: Move;
  readonly take?: Move;
  readonly pass?: Move;
  /** Whom one may accuse of a forgotten call, and be right. */
  readonly accuse?: Move & { readonly accuse: { readonly turn: number; readonly seat: number } };
}

export const NOTHING: Offer = { plays: new Map(), calledPlays: new Map() };

/**
 * The offer of these legal moves. What costs five cards by rule is legal, and not offered; nor is the draw that ends the
 * turn by itself, which is for who plays without looking.
 */
export function offered(legalMoves: readonly LegalMove[]): Offer {
  const plays = new Map<string, Map<Suit, Move>>();
  const calledPlays = new Map<string, Map<Suit, Move>>();
  const offer: { -readonly [Key in keyof Offer]: Offer[Key] } = { plays, calledPlays };
  for (const { move, consequence } of legalMoves) {
    if (move === undefined || consequence !== "CONSEQUENCE_UNSPECIFIED") continue;
    if (move.playCard?.card) {
      const { card, suit, call } = move.playCard;
      const all = call ? calledPlays : plays;
      const key = cardKey(card);
      all.set(key, (all.get(key) ?? new Map<Suit, Move>()).set(suit, move));
    } else if (move.drawCard) offer.draw = move;
    else if (move.takePenalty) offer.take = move;
    else if (move.pass) offer.pass = move;
    else if (move.accuse) offer.accuse = { ...move, accuse: move.accuse };
  }
  return offer;
}
