// Generated from proto/carteado/games/sueca/v1 by `make web`; never edited.

import type * as cards from "./cards.ts";

export interface CardPlayed {
  readonly hand: number;
  readonly trick: number;
  readonly seat: number;
  readonly card?: cards.Card;
}

export interface Event {
  readonly handDealt?: HandDealt;
  readonly cardPlayed?: CardPlayed;
  readonly trickEnded?: TrickEnded;
  readonly handEnded?: HandEnded;
  readonly matchEnded?: MatchEnded;
}

export interface HandDealt {
  readonly hand: number;
  readonly dealer: number;
  readonly leader: number;
  readonly trumpCard?: cards.Card;
}

export interface HandEnded {
  readonly hand: number;
  readonly cardPoints: readonly number[];
  readonly winnerSide?: number;
  readonly points: number;
  readonly isBandeira: boolean;
  readonly score: readonly number[];
  readonly carry: number;
}

export interface HandOfCards {
  readonly seat: number;
  readonly count: number;
  readonly cards: readonly cards.Card[];
}

export interface LegalMove {
  readonly move?: Move;
}

export interface MatchEnded {
  readonly winnerSide: number;
  readonly score: readonly number[];
}

export interface Move {
  readonly playCard?: PlayCard;
}

export type Phase =
  | "PHASE_UNSPECIFIED"
  | "PHASE_PLAY"
  | "PHASE_OVER";

export interface PlayCard {
  readonly hand: number;
  readonly trick: number;
  readonly card?: cards.Card;
}

export interface PlayedCard {
  readonly seat: number;
  readonly card?: cards.Card;
}

export interface Trick {
  readonly leader: number;
  readonly cards: readonly PlayedCard[];
  readonly winnerSeat?: number;
  readonly points: number;
}

export interface TrickEnded {
  readonly hand: number;
  readonly trick: number;
  readonly winnerSeat: number;
  readonly points: number;
}

export interface View {
  readonly phase: Phase;
  readonly score: readonly number[];
  readonly carry: number;
  readonly hand: number;
  readonly dealer: number;
  readonly trumpCard?: cards.Card;
  readonly isTrumpHeld: boolean;
  readonly cardPoints: readonly number[];
  readonly trick: number;
  readonly tricks: readonly Trick[];
  readonly hands: readonly HandOfCards[];
  readonly legalMoves: readonly LegalMove[];
  readonly winner?: number;
}
