// Generated from proto/carteado/games/buraco/v1 by `make web`; never edited.

import type * as cards from "./cards.ts";

export interface Addition {
  readonly meld: number;
  readonly cards: readonly cards.Card[];
  readonly together: readonly cards.Card[];
}

export interface CardDiscarded {
  readonly turn: number;
  readonly seat: number;
  readonly card?: cards.Card;
}

export interface Cards {
  readonly cards: readonly cards.Card[];
}

export interface DealEnded {
  readonly deal: number;
  readonly outSeat?: number;
  readonly sides: readonly SideScore[];
  readonly score: readonly number[];
}

export interface DealStarted {
  readonly deal: number;
  readonly starter: number;
  readonly turn: number;
  readonly stockCount: number;
  readonly lixo: readonly cards.Card[];
}

export interface Discard {
  readonly turn: number;
  readonly card?: cards.Card;
}

export interface DrawStock {
  readonly turn: number;
}

export interface EndTurn {
  readonly turn: number;
}

export interface Event {
  readonly dealStarted?: DealStarted;
  readonly stockDrawn?: StockDrawn;
  readonly redThreeLaid?: RedThreeLaid;
  readonly redThreeReplaced?: RedThreeReplaced;
  readonly lixoTaken?: LixoTaken;
  readonly meldLaid?: MeldLaid;
  readonly meldExtended?: MeldExtended;
  readonly cardDiscarded?: CardDiscarded;
  readonly mortoTaken?: MortoTaken;
  readonly mortoTurned?: MortoTurned;
  readonly turnEnded?: TurnEnded;
  readonly dealEnded?: DealEnded;
  readonly matchEnded?: MatchEnded;
}

export interface ExtendMeld {
  readonly turn: number;
  readonly meld: number;
  readonly cards: readonly cards.Card[];
}

export interface HandOfCards {
  readonly seat: number;
  readonly count: number;
  readonly cards: readonly cards.Card[];
}

export interface House {
  readonly jokers: number;
  readonly sets: boolean;
  readonly specialThrees: boolean;
  readonly isLixoOpen: boolean;
  readonly justifyTop: boolean;
  readonly needsCleanCanastra: boolean;
}

export interface Justification {
  readonly cards: readonly cards.Card[];
  readonly meld?: number;
}

export interface LayMeld {
  readonly turn: number;
  readonly cards: readonly cards.Card[];
}

export interface Legal {
  readonly turn: number;
  readonly drawStock: boolean;
  readonly takeLixo: boolean;
  readonly justifications: readonly Justification[];
  readonly moreJustifications: boolean;
  readonly newMelds: readonly Cards[];
  readonly moreMelds: boolean;
  readonly additions: readonly Addition[];
  readonly discards: readonly cards.Card[];
  readonly endTurn: boolean;
}

export interface LixoTaken {
  readonly turn: number;
  readonly seat: number;
  readonly count: number;
  readonly cards: readonly cards.Card[];
  readonly barred: readonly cards.Card[];
}

export interface MatchEnded {
  readonly winners: readonly number[];
  readonly score: readonly number[];
}

export interface Meld {
  readonly number: number;
  readonly side: number;
  readonly kind: MeldKind;
  readonly cards: readonly cards.Card[];
  readonly wilds: readonly cards.Card[];
  readonly isClean: boolean;
  readonly isCanastra: boolean;
  readonly points: number;
}

export interface MeldExtended {
  readonly turn: number;
  readonly seat: number;
  readonly number: number;
  readonly added: readonly cards.Card[];
  readonly shape?: MeldShape;
}

export type MeldKind =
  | "MELD_KIND_UNSPECIFIED"
  | "MELD_KIND_RUN"
  | "MELD_KIND_SET"
  | "MELD_KIND_WILDS";

export interface MeldLaid {
  readonly turn: number;
  readonly seat: number;
  readonly number: number;
  readonly shape?: MeldShape;
}

export interface MeldShape {
  readonly kind: MeldKind;
  readonly cards: readonly cards.Card[];
  readonly wilds: readonly cards.Card[];
}

export interface MortoTaken {
  readonly turn: number;
  readonly seat: number;
  readonly direct: boolean;
  readonly count: number;
  readonly cards: readonly cards.Card[];
}

export interface MortoTurned {
  readonly count: number;
}

export interface Move {
  readonly drawStock?: DrawStock;
  readonly takeLixo?: TakeLixo;
  readonly layMeld?: LayMeld;
  readonly extendMeld?: ExtendMeld;
  readonly discard?: Discard;
  readonly endTurn?: EndTurn;
}

export type Phase =
  | "PHASE_UNSPECIFIED"
  | "PHASE_DRAW"
  | "PHASE_PLAY"
  | "PHASE_OVER";

export interface RedThreeLaid {
  readonly seat: number;
  readonly card?: cards.Card;
  readonly fromMorto: boolean;
}

export interface RedThreeReplaced {
  readonly seat: number;
  readonly card?: cards.Card;
}

export interface Side {
  readonly side: number;
  readonly redThrees: readonly cards.Card[];
  readonly mortoTaker?: number;
  readonly cardPoints: number;
  readonly canastraPoints: number;
}

export interface SideScore {
  readonly cards: number;
  readonly canastras: number;
  readonly batida: number;
  readonly redThrees: number;
  readonly inHand: number;
  readonly morto: number;
  readonly total: number;
}

export interface StockDrawn {
  readonly turn: number;
  readonly seat: number;
  readonly card?: cards.Card;
}

export interface TakeLixo {
  readonly turn: number;
  readonly cards: readonly cards.Card[];
  readonly meld?: number;
}

export interface TurnEnded {
  readonly turn: number;
  readonly seat: number;
  readonly nextSeat: number;
}

export interface View {
  readonly house?: House;
  readonly phase: Phase;
  readonly score: readonly number[];
  readonly deal: number;
  readonly starter: number;
  readonly turn: number;
  readonly toPlay?: number;
  readonly hands: readonly HandOfCards[];
  readonly stockCount: number;
  readonly mortosLeft: number;
  readonly mortosTurned: number;
  readonly lixoCount: number;
  readonly lixo: readonly cards.Card[];
  readonly melds: readonly Meld[];
  readonly sides: readonly Side[];
  readonly barred: readonly cards.Card[];
  readonly tookLixo: boolean;
  readonly scored: readonly SideScore[];
  readonly winners: readonly number[];
  readonly legal?: Legal;
  readonly stock: readonly cards.Card[];
  readonly mortos: readonly Cards[];
}
