// Truco's events in words.

import type { Event, Gesture, View } from "../../api/generated/games_truco.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Suit } from "../../cards/cards.ts";
import { cardWords, suitWord } from "../../cards/names.ts";
import { capital, scoreInWords } from "../../play/sentences.ts";
import type { Seats } from "../../play/seats.ts";
import { raiseName, trucoWords } from "./words/index.ts";

/** Where the match stands, for who comes to the table. */
export function whereItStands(view: TableView, seats: Seats): string {
  if (view.truco === undefined) return "";
  const w = trucoWords.value;
  const { hand, vira, score } = view.truco;
  const where = vira === undefined ? "" : w.events.where(w.ordinal(hand), cardWords(vira));
  return `${scoreInWords(trucoWords.value.score, score, seats)} ${where}`.trim();
}

/** One event as a sentence, or null for what needs no words. */
export function sentence({ truco: event }: TableEvent, view: TableView, seats: Seats): string | null {
  if (event === undefined) return null;
  return ofHand(event, view.truco, seats) ?? ofRaise(event, seats) ?? ofSignal(event, view.truco, seats);
}

function ofHand(event: Event, view: View | undefined, seats: Seats): string | null {
  const words = trucoWords.value;
  const w = words.events;
  if (event.handDealt) {
    const { hand, vira, dealer, value, blind } = event.handDealt;
    const card = vira === undefined ? "" : cardWords(vira);
    const dealt = w.dealt(words.ordinal(hand), seats.inside(dealer), card);
    if (blind) return `${dealt} ${w.blind}`;
    if (view?.ironHand === true && view.hand === hand) return `${dealt} ${w.iron}`;
    // Where the side at eleven is asked, that is told when it answers.
    return value > 1 ? `${dealt} ${w.eleven(value)}` : dealt;
  }
  if (event.cardPlayed) {
    const { seat, card, covered } = event.cardPlayed;
    if (covered || card === undefined) return w.playedCovered(seats.who(seat));
    return w.played(seats.who(seat), cardWords(card));
  }
  if (event.trickEnded) {
    const { trick, winnerSeat } = event.trickEnded;
    const number = words.ordinal(trick);
    return winnerSeat === undefined ? w.trickTied(number) : w.trickWon(seats.who(winnerSeat), number);
  }
  if (event.handEnded) {
    const { winnerSide, points, score } = event.handEnded;
    if (winnerSide === undefined) return w.nobodyScores;
    const now = scoreInWords(trucoWords.value.score, score, seats);
    return seats.isMineKnown
      ? w.handWon(seats.isOurs(winnerSide), words.points(points), now)
      : w.handWonBy(seats.sideNames(winnerSide), words.points(points), now);
  }
  if (event.matchEnded) {
    const { winnerSide } = event.matchEnded;
    if (!seats.isMineKnown) return w.matchWonBy(seats.sideNames(winnerSide));
    return seats.isOurs(winnerSide) ? w.matchWon : w.matchLost;
  }
  return null;
}

function ofRaise(event: Event, seats: Seats): string | null {
  const w = trucoWords.value.events;
  if (event.raiseCalled)
    return w.raised(seats.who(event.raiseCalled.seat), raiseName(event.raiseCalled.value));
  if (event.raiseAccepted) return w.accepted(seats.who(event.raiseAccepted.seat), event.raiseAccepted.value);
  if (event.raiseRefused) {
    const { seat, value } = event.raiseRefused;
    return seat === undefined ? w.unanswered(raiseName(value)) : w.folded(seats.who(seat), raiseName(value));
  }
  if (event.foldProposed) return w.wantsToFold(seats.who(event.foldProposed.seat));
  if (event.elevenHandPlayed) {
    return w.elevenPlayed(seats.inside(event.elevenHandPlayed.seat), event.elevenHandPlayed.value);
  }
  if (event.elevenHandDeclined) {
    const { seat } = event.elevenHandDeclined;
    return seat === undefined ? w.elevenUnanswered : w.elevenDeclined(seats.inside(seat));
  }
  if (event.illegalRaisePunished) {
    const { seat, consequence } = event.illegalRaisePunished;
    return w.punished(seats.who(seat), consequence === "CONSEQUENCE_LOSES_MATCH");
  }
  return null;
}

function ofSignal(event: Event, view: View | undefined, seats: Seats): string | null {
  if (event.signalSent === undefined) return null;
  const w = trucoWords.value.signals;
  const { seat, gesture } = event.signalSent;
  const suit = view === undefined ? undefined : signalledSuit(view, seat, gesture);
  const sent = w.sent(seats.who(seat), w.did[gesture]);
  return suit === undefined ? sent : `${sent} ${w.meant(suitWord(suit))}`;
}

/** The suit whose manilha a seat's gesture says it has, as far as this view may know it. */
export function signalledSuit(view: View, seat: number, gesture: Gesture): Suit | undefined {
  const table = view.signalTables.find(({ side }) => side === seat % 2);
  return table?.meanings.find((meaning) => meaning.gesture === gesture)?.suit;
}

/** What a seat says aloud at this event. */
export function speech({ truco: event }: TableEvent): readonly [number, string] | null {
  if (event === undefined) return null;
  const { speech: w, signals } = trucoWords.value;
  if (event.raiseCalled) return [event.raiseCalled.seat, `${capital(raiseName(event.raiseCalled.value))}!`];
  if (event.signalSent)
    return [event.signalSent.seat, `(${signals.gestures[event.signalSent.gesture].toLowerCase()})`];
  if (event.raiseAccepted) return [event.raiseAccepted.seat, w.accepted];
  if (event.raiseRefused?.seat !== undefined) return [event.raiseRefused.seat, w.folded];
  if (event.elevenHandPlayed) return [event.elevenHandPlayed.seat, w.elevenPlayed];
  if (event.elevenHandDeclined?.seat !== undefined) return [event.elevenHandDeclined.seat, w.elevenDeclined];
  return null;
}
