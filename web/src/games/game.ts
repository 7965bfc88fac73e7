// What a game gives to have a table here. `registry.ts` lists the games; nothing else of the client knows one by name.

import type { ComponentType } from "preact";
import type { TableEvent, TableView } from "../api/generated/table.ts";
import type { CheckDeals } from "../fairness/check.ts";
import type { SeeDeals } from "../fairness/witness.ts";
import type { Match } from "../play/match.ts";
import type { Seats } from "../play/seats.ts";

/** A table as it stood when something ended, to be shown for a while before what came after it. */
export interface Interlude {
  readonly view: TableView;
  /** The event that ends it: its sentence is shown meanwhile. */
  readonly event: TableEvent;
  readonly pauseMs: number;
}

/** How a finished match reads from one's own side. */
export interface Outcome {
  readonly title: string;
  readonly score: string;
  readonly text: string;
}

export interface Game {
  /** The public names of its presets. */
  readonly presets: readonly string[];
  /** Whether a view or an event is of this game. */
  isOf(view: TableView): boolean;
  /** The score, in the table's bar. */
  readonly Score: ComponentType<{ match: Match }>;
  /** The table itself: seats, cards, one's hand, what one may do. */
  readonly Board: ComponentType<{ match: Match }>;
  /** What was played before, beside the log. */
  readonly History: ComponentType<{ match: Match }>;
  /** How it is played, in short. */
  readonly Rules: ComponentType;
  /** Where the match stands, in words, for who comes to the table. */
  whereItStands(view: TableView, seats: Seats): string;
  /** One event of the game in words; null for what needs none. */
  sentence(event: TableEvent, view: TableView, seats: Seats): string | null;
  /** What a seat says aloud at this event: [seat, words]. */
  speech(event: TableEvent): readonly [number, string] | null;
  /** What is shown on the way from one view to the next, in order. */
  interludes(before: TableView, events: readonly TableEvent[]): readonly Interlude[];
  /** Whether one's own seat has fallen out of the running match; absent where nobody can. */
  hasFallen?(view: TableView): boolean;
  /** How it ended; only of an ended match. */
  outcome(view: TableView, seats: Seats): Outcome;
  readonly fairness: {
    readonly see: SeeDeals;
    readonly check: CheckDeals;
    /** How the check draws what was dealt, by its codes; cards where nothing is given. */
    readonly Pieces?: ComponentType<{ readonly codes: readonly string[] }>;
  };
}
