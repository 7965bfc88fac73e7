// Dominó's events in words.

import type { RoundEnded, TilePlayed } from "../../api/generated/games_domino.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Seats } from "../../play/seats.ts";
import { scoreInWords } from "../../play/sentences.ts";
import { tileKey } from "./table.ts";
import { dominoWords } from "./words/index.ts";

/** Where the match stands, for who comes to the table. */
export function whereItStands(view: TableView, seats: Seats): string {
  if (view.domino === undefined) return "";
  const w = dominoWords.value;
  const { round, score } = view.domino;
  return `${scoreInWords(dominoWords.value.score, score, seats)} ${w.events.where(w.ordinal(round))}`;
}

/** One event as a sentence, or null for what needs no words. */
export function sentence({ domino: event }: TableEvent, _: TableView, seats: Seats): string | null {
  if (event === undefined) return null;
  const words = dominoWords.value;
  const w = words.events;
  if (event.roundDealt) {
    const { round, starter, opening } = event.roundDealt;
    const number = words.ordinal(round);
    return opening === undefined
      ? w.dealt(number, seats.inside(starter))
      : w.dealtWith(number, seats.inside(starter), tileKey(opening));
  }
  if (event.tilePlayed) return play(event.tilePlayed, seats);
  if (event.seatPassed) return w.passed(seats.who(event.seatPassed.seat));
  if (event.roundEnded) return roundEnd(event.roundEnded, seats);
  if (event.matchEnded) {
    const { winnerSide } = event.matchEnded;
    if (!seats.isMineKnown) return w.matchWonBy(seats.sideNames(winnerSide));
    return seats.isOurs(winnerSide) ? w.matchWon : w.matchLost;
  }
  return null;
}

function play({ seat, tile, end, ends }: TilePlayed, seats: Seats): string | null {
  if (tile === undefined || ends === undefined) return null;
  const words = dominoWords.value;
  const name = seats.who(seat);
  if (end === "END_UNSPECIFIED") return words.events.opened(name, tileKey(tile));
  const side = end === "END_LEFT" ? words.ends.left : words.ends.right;
  return words.events.played(name, tileKey(tile), side, ends.left, ends.right);
}

function roundEnd({ ending, seat, pips, winnerSide, points, score }: RoundEnded, seats: Seats): string {
  const words = dominoWords.value;
  const w = words.events;
  const name = seats.who(seat);
  const how =
    ending === "ENDING_WENT_OUT"
      ? w.wentOut(name)
      : ending === "ENDING_BLOCKED"
        ? w.blocked(name)
        : w.blockedTied(name);
  const hands = pips.flatMap((count, holder) => (count > 0 ? [w.hand(seats.who(holder), count)] : []));
  const won = seats.isMineKnown
    ? w.roundWon(seats.isOurs(winnerSide), words.points(points))
    : w.roundWonBy(seats.sideNames(winnerSide), words.points(points));
  return [how, w.left(hands.join(", ")), won, scoreInWords(dominoWords.value.score, score, seats)].join(" ");
}

/** What a seat says aloud at this event. */
export function speech({ domino: event }: TableEvent): readonly [number, string] | null {
  const w = dominoWords.value.speech;
  if (event?.seatPassed) return [event.seatPassed.seat, w.passed];
  if (event?.roundEnded) {
    const { seat, ending } = event.roundEnded;
    return [seat, ending === "ENDING_WENT_OUT" ? w.wentOut : w.blocked];
  }
  return null;
}
