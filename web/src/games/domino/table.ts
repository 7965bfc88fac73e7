// The match as Dominó's parts of the table need it.

import type { Signal } from "@preact/signals";
import type { LegalMove, Move, Tile, View } from "../../api/generated/games_domino.ts";
import type { TableView } from "../../api/generated/table.ts";
import type { Match } from "../../play/match.ts";
import type { Seats } from "../../play/seats.ts";

/** How one tile may be played: as the first one, or at an end. */
export interface Plays {
  readonly first?: Move;
  readonly left?: Move;
  readonly right?: Move;
}

/** One tile of one's hand, and how it may be played now. */
export interface HeldTile {
  readonly tile: Tile;
  readonly key: string;
  readonly plays: Plays | undefined;
}

export interface DominoTable {
  readonly match: Match;
  readonly view: TableView;
  readonly domino: View;
  readonly seats: Seats;
  /** One's own tiles in the order of the deal. */
  readonly held: readonly HeldTile[];
  /** The tile whose end is being chosen. */
  readonly chosen: HeldTile | null;
}

/** Null before the first view. `choice` holds the key of the tile whose end is being chosen. */
export function dominoTable(match: Match, choice: Signal<string | null>): DominoTable | null {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view?.domino === undefined || seats === null) return null;
  const { domino } = view;
  const moves = offered(match.canAct.value ? domino.legalMoves : []);
  const mine = seats.isMineKnown ? domino.hands.find((hand) => seats.isMe(hand.seat)) : undefined;
  const held = (mine?.tiles ?? []).map((tile) => {
    const key = tileKey(tile);
    return { tile, key, plays: moves.get(key) };
  });
  const chosen = held.find(({ key, plays }) => key === choice.value && needsEnd(plays)) ?? null;
  return { match, view, domino, seats, held, chosen };
}

/** The moves by tile. */
export function offered(legalMoves: readonly LegalMove[]): ReadonlyMap<string, Plays> {
  const moves = new Map<string, Plays>();
  for (const { move } of legalMoves) {
    if (move?.playTile?.tile === undefined) continue;
    const { tile, end } = move.playTile;
    const name = end === "END_LEFT" ? "left" : end === "END_RIGHT" ? "right" : "first";
    moves.set(tileKey(tile), { ...moves.get(tileKey(tile)), [name]: move });
  }
  return moves;
}

/** Whether there is an end to choose. */
export function needsEnd(plays: Plays | undefined): boolean {
  return plays?.left !== undefined && plays.right !== undefined;
}

/** The one move of a tile that leaves no choice. */
export function onlyMove(plays: Plays | undefined): Move | undefined {
  return needsEnd(plays) ? undefined : (plays?.first ?? plays?.left ?? plays?.right);
}

/** The same tile gives the same text, its code: "3-5". */
export function tileKey({ low, high }: Tile): string {
  return `${low}-${high}`;
}

/** A tile is chosen: played where there is one way, else its end is asked for. */
export function choose(match: Match, choice: Signal<string | null>, { key, plays }: HeldTile): void {
  const move = onlyMove(plays);
  if (move !== undefined) playAt(match, choice, move);
  else if (needsEnd(plays)) choice.value = choice.value === key ? null : key;
}

/** Plays a move, and the choice is over. */
export function playAt(match: Match, choice: Signal<string | null>, move: Move): void {
  choice.value = null;
  match.play({ domino: move });
}
