// Generated from proto/carteado/table/v1 by `make web`; never edited.

import type * as games_buraco from "./games_buraco.ts";
import type * as games_cacheta from "./games_cacheta.ts";
import type * as games_domino from "./games_domino.ts";
import type * as games_mau_mau from "./games_mau_mau.ts";
import type * as games_sueca from "./games_sueca.ts";
import type * as games_truco from "./games_truco.ts";

export interface Accepted {
  readonly version: number;
}

export type ClaimSeat = Readonly<Record<string, never>>;

export interface Clock {
  readonly turn: number;
  readonly seats: readonly number[];
  readonly startedAt?: string;
  readonly dueAt?: string;
}

export interface ClockMoved {
  readonly clock?: Clock;
  readonly outageFrom?: string;
  readonly outageTo?: string;
}

export interface ClockStarted {
  readonly clock?: Clock;
}

export interface CommandOutcome {
  readonly accepted?: Accepted;
  readonly refused?: Refused;
}

export type EndReason =
  | "END_REASON_UNSPECIFIED"
  | "END_REASON_FINISHED"
  | "END_REASON_ABANDONED"
  | "END_REASON_WALKOVER";

export type Leave = Readonly<Record<string, never>>;

export interface PlayedAutomatically {
  readonly turn: number;
  readonly seat: number;
}

export interface Refused {
  readonly code: string;
  readonly textPt: string;
  readonly textEn: string;
  readonly facts: Readonly<Record<string, string>>;
}

export interface Result {
  readonly reason: EndReason;
  readonly winners: readonly number[];
  readonly score: readonly number[];
  readonly abandonedSeats: readonly number[];
}

export type Room =
  | "ROOM_UNSPECIFIED"
  | "ROOM_LIVRE"
  | "ROOM_RANQUEADA"
  | "ROOM_TORNEIO";

export interface Seat {
  readonly index: number;
  readonly kind: SeatKind;
  readonly playerId: string;
  readonly absent: boolean;
  readonly claim: string;
  readonly eliminated: boolean;
}

export interface SeatBecameAbsent {
  readonly seat: number;
  readonly left: boolean;
}

export interface SeatClaimed {
  readonly seat: number;
  readonly claim: string;
}

export interface SeatEliminated {
  readonly seat: number;
  readonly robotPlaysOn: boolean;
}

export type SeatKind =
  | "SEAT_KIND_UNSPECIFIED"
  | "SEAT_KIND_PERSON"
  | "SEAT_KIND_ROBOT";

export interface SeatReturned {
  readonly seat: number;
}

export interface Switch {
  readonly name: string;
  readonly value: string;
}

export interface TableCommand {
  readonly commandId: string;
  readonly tableId: string;
  readonly leave?: Leave;
  readonly claim: string;
  readonly claimSeat?: ClaimSeat;
  readonly truco?: games_truco.Move;
  readonly sueca?: games_sueca.Move;
  readonly domino?: games_domino.Move;
  readonly mauMau?: games_mau_mau.Move;
  readonly cacheta?: games_cacheta.Move;
  readonly buraco?: games_buraco.Move;
}

export interface TableEnded {
  readonly result?: Result;
  readonly secret: string;
}

export interface TableEvent {
  readonly version: number;
  readonly tableOpened?: TableOpened;
  readonly clockStarted?: ClockStarted;
  readonly clockMoved?: ClockMoved;
  readonly playedAutomatically?: PlayedAutomatically;
  readonly seatBecameAbsent?: SeatBecameAbsent;
  readonly seatReturned?: SeatReturned;
  readonly tableEnded?: TableEnded;
  readonly seatClaimed?: SeatClaimed;
  readonly seatEliminated?: SeatEliminated;
  readonly truco?: games_truco.Event;
  readonly sueca?: games_sueca.Event;
  readonly domino?: games_domino.Event;
  readonly mauMau?: games_mau_mau.Event;
  readonly cacheta?: games_cacheta.Event;
  readonly buraco?: games_buraco.Event;
}

export interface TableOpened {
  readonly preset: string;
}

export type TableStatus =
  | "TABLE_STATUS_UNSPECIFIED"
  | "TABLE_STATUS_PLAYING"
  | "TABLE_STATUS_ENDED";

export interface TableUpdate {
  readonly tableId: string;
  readonly fromVersion: number;
  readonly toVersion: number;
  readonly serverTime?: string;
  readonly events: readonly TableEvent[];
  readonly view?: TableView;
  readonly isResync: boolean;
}

export interface TableView {
  readonly tableId: string;
  readonly version: number;
  readonly status: TableStatus;
  readonly preset: string;
  readonly rulesVersion: number;
  readonly switches: readonly Switch[];
  readonly seats: readonly Seat[];
  readonly yourSeat?: number;
  readonly clock?: Clock;
  readonly result?: Result;
  readonly commitment: string;
  readonly secret: string;
  readonly entropy: readonly string[];
  readonly room: Room;
  readonly truco?: games_truco.View;
  readonly sueca?: games_sueca.View;
  readonly domino?: games_domino.View;
  readonly mauMau?: games_mau_mau.View;
  readonly cacheta?: games_cacheta.View;
  readonly buraco?: games_buraco.View;
}
