// Who sits at a seat: a face with a ring that runs out with the time, a name, and what is to be known of them.

import type { ComponentChildren } from "preact";
import { words } from "../i18n/index.ts";
import type { Match } from "./match.ts";

interface PlateProps {
  readonly match: Match;
  readonly seat: number;
  /** Whether the seat is on one's own side; null where each plays alone. */
  readonly isOurs: boolean | null;
  readonly children?: ComponentChildren;
}

export function Plate({ match, seat, isOurs, children }: PlateProps) {
  const view = match.view.value;
  const seats = match.seats.value;
  if (view === null || seats === null) return null;
  const w = words.value.table;
  const isAwaited = view.clock?.seats.includes(seat) === true;
  const isPartner = isOurs === true && seats.isMineKnown && !seats.isMe(seat);
  const side = isOurs === null ? "" : isOurs ? " ours" : " theirs";
  return (
    <span class={`plate${side}`}>
      <span class="avatar" aria-hidden="true">
        {isAwaited && <Ring match={match} />}
        {seats.isRobot(seat) ? <RobotHead /> : <span class="initial">{initial(seats.name(seat))}</span>}
      </span>
      <span class="who">
        <span class="name">{seats.who(seat)}</span>
        <span class="tags">
          {isPartner && <span class="tag">{w.partner}</span>}
          {seats.isRobot(seat) && <span class="tag robot-tag">{w.robot}</span>}
          {view.seats[seat]?.absent === true && <span class="tag absent">{w.absent}</span>}
          {children}
        </span>
      </span>
    </span>
  );
}

/** The words that a seat just said. */
export function Speech({ match, seat }: { match: Match; seat: number }) {
  const said = match.speech.value.get(seat);
  return said === undefined ? null : <span class="speech">{said}</span>;
}

/** A ring that runs out with the clock. */
export function Ring({ match }: { match: Match }) {
  const clock = match.clock.value;
  const left = clock === null ? 0 : Math.min(1, clock.leftMs / clock.wholeMs) * 100;
  return (
    <svg class={`ring${left < 25 ? " urgent" : ""}`} viewBox="0 0 40 40">
      <circle cx="20" cy="20" r="18" pathLength="100" stroke-dasharray={`${left} 100`} />
    </svg>
  );
}

function RobotHead() {
  return (
    <svg class="robot-head" viewBox="0 0 24 24">
      <path d="M11 2.5h2v3.5h-2z" />
      <circle cx="12" cy="2.8" r="1.6" />
      <path
        d="M7 6h10a3.5 3.5 0 0 1 3.5 3.5v7A3.5 3.5 0 0 1 17 20H7a3.5 3.5 0 0 1-3.5-3.5v-7A3.5 3.5 0 0 1 7 6zm1.7 4.2a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8zm6.6 0a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8zM8.5 16v1.5h7V16z"
        fill-rule="evenodd"
      />
      <path d="M1 11h1.7v4.5H1zM21.3 11H23v4.5h-1.7z" />
    </svg>
  );
}

function initial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? "?";
}
