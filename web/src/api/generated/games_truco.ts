// Generated from proto/carteado/games/truco/v1 by `make web`; never edited.

import type * as cards from "./cards.ts";

export interface AcceptRaise {
  readonly hand: number;
  readonly value: number;
}

export interface CardPlayed {
  readonly hand: number;
  readonly trick: number;
  readonly seat: number;
  readonly card?: cards.Card;
  readonly covered: boolean;
}

export type Consequence =
  | "CONSEQUENCE_UNSPECIFIED"
  | "CONSEQUENCE_LOSES_MATCH"
  | "CONSEQUENCE_OPPONENTS_SCORE_THREE";

export interface DeclineElevenHand {
  readonly hand: number;
}

export interface ElevenHandDeclined {
  readonly hand: number;
  readonly seat?: number;
}

export interface ElevenHandPlayed {
  readonly hand: number;
  readonly seat: number;
  readonly value: number;
}

export interface Event {
  readonly handDealt?: HandDealt;
  readonly cardPlayed?: CardPlayed;
  readonly trickEnded?: TrickEnded;
  readonly raiseCalled?: RaiseCalled;
  readonly raiseAccepted?: RaiseAccepted;
  readonly raiseRefused?: RaiseRefused;
  readonly elevenHandPlayed?: ElevenHandPlayed;
  readonly elevenHandDeclined?: ElevenHandDeclined;
  readonly illegalRaisePunished?: IllegalRaisePunished;
  readonly handEnded?: HandEnded;
  readonly matchEnded?: MatchEnded;
  readonly foldProposed?: FoldProposed;
  readonly signalSent?: SignalSent;
}

export interface Fold {
  readonly hand: number;
  readonly value: number;
}

export interface FoldProposed {
  readonly hand: number;
  readonly seat: number;
}

export type Gesture =
  | "GESTURE_UNSPECIFIED"
  | "GESTURE_PISCAR"
  | "GESTURE_SOBRANCELHA"
  | "GESTURE_BOCHECHA"
  | "GESTURE_LINGUA";

export interface HandDealt {
  readonly hand: number;
  readonly dealer: number;
  readonly vira?: cards.Card;
  readonly value: number;
  readonly blind: boolean;
}

export interface HandEnded {
  readonly hand: number;
  readonly winnerSide?: number;
  readonly points: number;
  readonly score: readonly number[];
}

export interface HandOfCards {
  readonly seat: number;
  readonly count: number;
  readonly cards: readonly cards.Card[];
  readonly positions: readonly number[];
}

export interface IllegalRaisePunished {
  readonly hand: number;
  readonly seat: number;
  readonly consequence: Consequence;
}

export interface LegalMove {
  readonly move?: Move;
  readonly consequence: Consequence;
}

export interface MatchEnded {
  readonly winnerSide: number;
  readonly score: readonly number[];
}

export interface Move {
  readonly playCard?: PlayCard;
  readonly raise?: Raise;
  readonly acceptRaise?: AcceptRaise;
  readonly fold?: Fold;
  readonly playElevenHand?: PlayElevenHand;
  readonly declineElevenHand?: DeclineElevenHand;
  readonly signal?: Signal;
}

export interface PendingRaise {
  readonly bySeat: number;
  readonly value: number;
}

export type Phase =
  | "PHASE_UNSPECIFIED"
  | "PHASE_PLAY"
  | "PHASE_ANSWER_RAISE"
  | "PHASE_ELEVEN_HAND"
  | "PHASE_OVER";

export interface PlayCard {
  readonly hand: number;
  readonly trick: number;
  readonly card?: cards.Card;
  readonly position?: number;
  readonly covered: boolean;
}

export interface PlayElevenHand {
  readonly hand: number;
}

export interface PlayedCard {
  readonly seat: number;
  readonly card?: cards.Card;
  readonly covered: boolean;
}

export interface Raise {
  readonly hand: number;
  readonly value: number;
}

export interface RaiseAccepted {
  readonly hand: number;
  readonly seat: number;
  readonly value: number;
}

export interface RaiseCalled {
  readonly hand: number;
  readonly seat: number;
  readonly value: number;
}

export interface RaiseRefused {
  readonly hand: number;
  readonly seat?: number;
  readonly value: number;
}

export interface SentSignal {
  readonly seat: number;
  readonly gesture: Gesture;
}

export interface Signal {
  readonly hand: number;
  readonly gesture: Gesture;
}

export interface SignalMeaning {
  readonly gesture: Gesture;
  readonly suit: cards.Suit;
}

export interface SignalSent {
  readonly hand: number;
  readonly seat: number;
  readonly gesture: Gesture;
}

export interface SignalTable {
  readonly side: number;
  readonly meanings: readonly SignalMeaning[];
}

export interface Trick {
  readonly leader: number;
  readonly cards: readonly PlayedCard[];
  readonly isOver: boolean;
  readonly winnerSeat?: number;
}

export interface TrickEnded {
  readonly hand: number;
  readonly trick: number;
  readonly winnerSeat?: number;
  readonly nextLeader: number;
}

export interface View {
  readonly phase: Phase;
  readonly score: readonly number[];
  readonly hand: number;
  readonly dealer: number;
  readonly vira?: cards.Card;
  readonly manilha: cards.Rank;
  readonly value: number;
  readonly mayRaiseSides: readonly number[];
  readonly pendingRaise?: PendingRaise;
  readonly elevenSide?: number;
  readonly ironHand: boolean;
  readonly trick: number;
  readonly tricks: readonly Trick[];
  readonly hands: readonly HandOfCards[];
  readonly legalMoves: readonly LegalMove[];
  readonly winner?: number;
  readonly blind: boolean;
  readonly foldingSeats: readonly number[];
  readonly signalTables: readonly SignalTable[];
  readonly signals: readonly SentSignal[];
}
