// Generated from proto/carteado/games/mau_mau/v1 by `make web`; never edited.

import type * as cards from "./cards.ts";

export interface Accuse {
  readonly turn: number;
  readonly seat: number;
}

export interface Accused {
  readonly turn: number;
  readonly seat: number;
  readonly accusedSeat: number;
  readonly isFalse: boolean;
}

export interface CardPlayed {
  readonly turn: number;
  readonly seat: number;
  readonly card?: cards.Card;
  readonly suit: cards.Suit;
  readonly direction: Direction;
  readonly penalty: number;
  readonly nextSeat?: number;
  readonly forgotCall: boolean;
}

export interface CardsDealt {
  readonly dealer: number;
  readonly turned?: cards.Card;
  readonly firstSeat: number;
  readonly direction: Direction;
  readonly penalty: number;
}

export interface CardsDrawn {
  readonly turn: number;
  readonly seat: number;
  readonly count: number;
  readonly reason: DrawReason;
  readonly cards: readonly cards.Card[];
}

export type Consequence =
  | "CONSEQUENCE_UNSPECIFIED"
  | "CONSEQUENCE_DRAWS_FIVE";

export type Direction =
  | "DIRECTION_UNSPECIFIED"
  | "DIRECTION_FORWARD"
  | "DIRECTION_BACKWARD";

export interface DrawAndGo {
  readonly turn: number;
}

export interface DrawCard {
  readonly turn: number;
}

export type DrawReason =
  | "DRAW_REASON_UNSPECIFIED"
  | "DRAW_REASON_TURN"
  | "DRAW_REASON_NINE"
  | "DRAW_REASON_FALSE_CALL"
  | "DRAW_REASON_FORGOTTEN_CALL"
  | "DRAW_REASON_FALSE_ACCUSATION";

export interface Event {
  readonly cardsDealt?: CardsDealt;
  readonly cardPlayed?: CardPlayed;
  readonly cardsDrawn?: CardsDrawn;
  readonly penaltyTaken?: PenaltyTaken;
  readonly turnPassed?: TurnPassed;
  readonly pileShuffled?: PileShuffled;
  readonly mauMauCalled?: MauMauCalled;
  readonly accused?: Accused;
  readonly matchEnded?: MatchEnded;
}

export interface HandOfCards {
  readonly seat: number;
  readonly count: number;
  readonly cards: readonly cards.Card[];
}

export interface LegalMove {
  readonly move?: Move;
  readonly consequence: Consequence;
}

export interface MatchEnded {
  readonly winnerSeat?: number;
  readonly cardsLeft: readonly number[];
}

export interface MauMauCalled {
  readonly turn: number;
  readonly seat: number;
  readonly isFalse: boolean;
}

export interface Move {
  readonly playCard?: PlayCard;
  readonly drawCard?: DrawCard;
  readonly drawAndGo?: DrawAndGo;
  readonly takePenalty?: TakePenalty;
  readonly pass?: Pass;
  readonly accuse?: Accuse;
}

export interface Pass {
  readonly turn: number;
}

export interface PenaltyTaken {
  readonly turn: number;
  readonly seat: number;
  readonly count: number;
  readonly nextSeat?: number;
  readonly cards: readonly cards.Card[];
}

export interface PileShuffled {
  readonly number: number;
  readonly count: number;
}

export interface PlayCard {
  readonly turn: number;
  readonly card?: cards.Card;
  readonly suit: cards.Suit;
  readonly call: boolean;
}

export interface TakePenalty {
  readonly turn: number;
}

export interface TurnPassed {
  readonly turn: number;
  readonly seat: number;
  readonly nextSeat?: number;
}

export interface View {
  readonly turn: number;
  readonly dealer: number;
  readonly top?: cards.Card;
  readonly suit: cards.Suit;
  readonly direction: Direction;
  readonly penalty: number;
  readonly toPlay?: number;
  readonly hasDrawn: boolean;
  readonly stockCount: number;
  readonly pileCount: number;
  readonly hands: readonly HandOfCards[];
  readonly legalMoves: readonly LegalMove[];
  readonly isOver: boolean;
  readonly winner?: number;
  readonly forgotSeat?: number;
  readonly accusedSeats: readonly number[];
}
