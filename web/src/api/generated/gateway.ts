// Generated from proto/carteado/gateway/v1 by `make web`; never edited.

import type * as table from "./table.ts";

export interface AttachTable {
  readonly tableId: string;
  readonly lastVersion: number;
}

export interface ClientMessage {
  readonly hello?: Hello;
  readonly attachTable?: AttachTable;
  readonly detachTable?: DetachTable;
  readonly command?: table.TableCommand;
  readonly ping?: Ping;
  readonly checkMove?: table.TableCommand;
}

export interface CommandResult {
  readonly commandId: string;
  readonly outcome?: table.CommandOutcome;
}

export interface DetachTable {
  readonly tableId: string;
}

export interface Hello {
  readonly token: string;
}

export type Ping = Readonly<Record<string, never>>;

export interface Pong {
  readonly serverTime?: string;
}

export interface ProtocolError {
  readonly code: string;
  readonly textPt: string;
  readonly textEn: string;
  readonly commandId: string;
}

export interface ServerMessage {
  readonly welcome?: Welcome;
  readonly update?: table.TableUpdate;
  readonly commandResult?: CommandResult;
  readonly tableDetached?: TableDetached;
  readonly pong?: Pong;
  readonly error?: ProtocolError;
  readonly moveChecked?: CommandResult;
}

export interface TableDetached {
  readonly tableId: string;
  readonly code: string;
}

export interface Welcome {
  readonly playerId: string;
  readonly serverTime?: string;
  readonly tokenExpiresAt?: string;
}
