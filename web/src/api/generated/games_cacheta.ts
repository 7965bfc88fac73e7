// Generated from proto/carteado/games/cacheta/v1 by `make web`; never edited.

import type * as cards from "./cards.ts";

export interface AnnounceNaBoa {
  readonly round: number;
}

export interface CardDiscarded {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly card?: cards.Card;
  readonly nextSeat: number;
  readonly mayClaim: readonly number[];
}

export interface CardDrawn {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly card?: cards.Card;
}

export type Consequence =
  | "CONSEQUENCE_UNSPECIFIED"
  | "CONSEQUENCE_BURNS";

export interface Discard {
  readonly round: number;
  readonly turn: number;
  readonly card?: cards.Card;
}

export interface DiscardTaken {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly card?: cards.Card;
}

export interface DrawStock {
  readonly round: number;
  readonly turn: number;
}

export interface Event {
  readonly roundDealt?: RoundDealt;
  readonly cardDrawn?: CardDrawn;
  readonly stockReshuffled?: StockReshuffled;
  readonly discardTaken?: DiscardTaken;
  readonly cardDiscarded?: CardDiscarded;
  readonly naBoaAnnounced?: NaBoaAnnounced;
  readonly jumpClaimed?: JumpClaimed;
  readonly jumpPassed?: JumpPassed;
  readonly jumpFailed?: JumpFailed;
  readonly windowClosed?: WindowClosed;
  readonly wentOut?: WentOut;
  readonly roundEnded?: RoundEnded;
  readonly roundVoided?: RoundVoided;
  readonly matchEnded?: MatchEnded;
}

export interface GoOut {
  readonly round: number;
  readonly turn: number;
  readonly discard?: cards.Card;
}

export interface HandOfCards {
  readonly seat: number;
  readonly count: number;
  readonly cards: readonly cards.Card[];
}

export interface JumpClaimed {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
}

export interface JumpFailed {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly burnt: boolean;
}

export interface JumpPassed {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
}

export interface JumpQueue {
  readonly round: number;
  readonly turn: number;
}

export interface LegalMove {
  readonly move?: Move;
  readonly consequence: Consequence;
}

export interface MatchEnded {
  readonly winner?: number;
  readonly points: readonly number[];
}

export interface Meld {
  readonly cards: readonly cards.Card[];
}

export interface Move {
  readonly drawStock?: DrawStock;
  readonly takeDiscard?: TakeDiscard;
  readonly discard?: Discard;
  readonly goOut?: GoOut;
  readonly announceNaBoa?: AnnounceNaBoa;
  readonly jumpQueue?: JumpQueue;
  readonly passJump?: PassJump;
}

export interface NaBoaAnnounced {
  readonly round: number;
  readonly seat: number;
}

export interface PassJump {
  readonly round: number;
  readonly turn: number;
}

export type Phase =
  | "PHASE_UNSPECIFIED"
  | "PHASE_DRAW"
  | "PHASE_PLAY"
  | "PHASE_WINDOW"
  | "PHASE_OVER";

export interface RoundDealt {
  readonly round: number;
  readonly starter: number;
  readonly vira?: cards.Card;
}

export interface RoundEnded {
  readonly round: number;
  readonly winner: number;
  readonly lost: number;
  readonly points: readonly number[];
  readonly fallenSeats: readonly number[];
}

export interface RoundVoided {
  readonly round: number;
  readonly reason: VoidReason;
  readonly running: number;
}

export interface StockReshuffled {
  readonly round: number;
  readonly stockCount: number;
}

export interface TakeDiscard {
  readonly round: number;
  readonly turn: number;
}

export interface View {
  readonly phase: Phase;
  readonly points: readonly number[];
  readonly round: number;
  readonly turn: number;
  readonly starter: number;
  readonly toPlay: number;
  readonly vira?: cards.Card;
  readonly wilds: readonly cards.Card[];
  readonly stockCount: number;
  readonly discardTop?: cards.Card;
  readonly discardCount: number;
  readonly hands: readonly HandOfCards[];
  readonly announcedSeats: readonly number[];
  readonly burntSeats: readonly number[];
  readonly window?: Window;
  readonly voidRounds: number;
  readonly legalMoves: readonly LegalMove[];
  readonly winner?: number;
  readonly maxWilds?: number;
  readonly fourSuitSet: boolean;
  readonly laid: readonly Meld[];
}

export type VoidReason =
  | "VOID_REASON_UNSPECIFIED"
  | "VOID_REASON_EMPTY_STOCK"
  | "VOID_REASON_TURNS";

export interface WentOut {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly melds: readonly Meld[];
  readonly discard?: cards.Card;
  readonly claimed?: cards.Card;
}

export interface Window {
  readonly discarder: number;
  readonly mayClaim: readonly number[];
  readonly claimed: readonly number[];
  readonly passed: readonly number[];
}

export interface WindowClosed {
  readonly round: number;
  readonly turn: number;
  readonly nextSeat: number;
}
