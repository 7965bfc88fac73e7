// From legal moves to what is offered. No rule of the game stands here.

import type { LegalMove, Move } from "../../api/generated/games_cacheta.ts";
import { cardKey } from "../../cards/cards.ts";

/** What a person may do now. */
export interface Offer {
  readonly draw?: Move;
  readonly take?: Move;
  /** By a card's key: what it is to discard it. */
  readonly discards: ReadonlyMap<string, Move>;
  /** To go out with all ten cards. */
  readonly outWithTen?: Move;
  /** To go out with nine, by the key of the card that is discarded. */
  readonly outs: ReadonlyMap<string, Move>;
  readonly naBoa?: Move;
  readonly jump?: Move;
  readonly pass?: Move;
}

export const NOTHING: Offer = { discards: new Map(), outs: new Map() };

/** The offer of these legal moves. A claim that burns is legal, and not offered. */
export function offered(legalMoves: readonly LegalMove[]): Offer {
  const discards = new Map<string, Move>();
  const outs = new Map<string, Move>();
  const offer: { -readonly [Key in keyof Offer]: Offer[Key] } = { discards, outs };
  for (const { move, consequence } of legalMoves) {
    if (move === undefined || consequence !== "CONSEQUENCE_UNSPECIFIED") continue;
    if (move.discard?.card) discards.set(cardKey(move.discard.card), move);
    else if (move.goOut?.discard) outs.set(cardKey(move.goOut.discard), move);
    else if (move.goOut) offer.outWithTen = move;
    else if (move.drawStock) offer.draw = move;
    else if (move.takeDiscard) offer.take = move;
    else if (move.announceNaBoa) offer.naBoa = move;
    else if (move.jumpQueue) offer.jump = move;
    else if (move.passJump) offer.pass = move;
  }
  return offer;
}
