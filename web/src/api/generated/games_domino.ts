// Generated from proto/carteado/games/domino/v1 by `make web`; never edited.

export type End =
  | "END_UNSPECIFIED"
  | "END_LEFT"
  | "END_RIGHT";

export type Ending =
  | "ENDING_UNSPECIFIED"
  | "ENDING_WENT_OUT"
  | "ENDING_BLOCKED"
  | "ENDING_BLOCKED_TIED";

export interface Event {
  readonly roundDealt?: RoundDealt;
  readonly tilePlayed?: TilePlayed;
  readonly seatPassed?: SeatPassed;
  readonly roundEnded?: RoundEnded;
  readonly matchEnded?: MatchEnded;
}

export interface HandOfTiles {
  readonly seat: number;
  readonly count: number;
  readonly tiles: readonly Tile[];
}

export interface LegalMove {
  readonly move?: Move;
}

export interface MatchEnded {
  readonly winnerSide: number;
  readonly score: readonly number[];
}

export interface Move {
  readonly playTile?: PlayTile;
}

export interface OpenEnds {
  readonly left: number;
  readonly right: number;
}

export type Phase =
  | "PHASE_UNSPECIFIED"
  | "PHASE_PLAY"
  | "PHASE_OVER";

export interface PlayTile {
  readonly round: number;
  readonly turn: number;
  readonly tile?: Tile;
  readonly end: End;
}

export interface RoundDealt {
  readonly round: number;
  readonly starter: number;
  readonly opening?: Tile;
}

export interface RoundEnded {
  readonly round: number;
  readonly ending: Ending;
  readonly seat: number;
  readonly pips: readonly number[];
  readonly winnerSide: number;
  readonly points: number;
  readonly score: readonly number[];
  readonly nextStarter: number;
}

export interface SeatPassed {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly nextSeat: number;
}

export interface Tile {
  readonly low: number;
  readonly high: number;
}

export interface TilePlayed {
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
  readonly tile?: Tile;
  readonly end: End;
  readonly ends?: OpenEnds;
  readonly nextSeat?: number;
}

export interface View {
  readonly phase: Phase;
  readonly score: readonly number[];
  readonly round: number;
  readonly starter: number;
  readonly opening?: Tile;
  readonly turn: number;
  readonly toPlay?: number;
  readonly ends?: OpenEnds;
  readonly plays: readonly TilePlayed[];
  readonly passes: readonly SeatPassed[];
  readonly hands: readonly HandOfTiles[];
  readonly legalMoves: readonly LegalMove[];
  readonly winner?: number;
}
