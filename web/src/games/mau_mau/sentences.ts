// Mau Mau's events in words.

import type { CardPlayed, CardsDrawn, Event } from "../../api/generated/games_mau_mau.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import type { Card } from "../../cards/cards.ts";
import { cardWords, suitWord } from "../../cards/names.ts";
import { capital } from "../../play/sentences.ts";
import type { Seats } from "../../play/seats.ts";
import { mauMauWords } from "./words/index.ts";

/** Where the match stands, for who comes to the table. */
export function whereItStands(view: TableView, _seats: Seats): string {
  const { top, suit } = view.mauMau ?? {};
  if (top === undefined || suit === undefined) return "";
  return mauMauWords.value.events.where(cardWords(top), suitWord(suit));
}

/** One event as a sentence, or null for what needs no words. */
export function sentence({ mauMau: event }: TableEvent, _view: TableView, seats: Seats): string | null {
  if (event === undefined) return null;
  return ofCards(event, seats) ?? ofWords(event, seats);
}

function ofCards(event: Event, seats: Seats): string | null {
  const words = mauMauWords.value;
  const w = words.events;
  if (event.cardsDealt) {
    const { dealer, turned } = event.cardsDealt;
    return w.dealt(seats.who(dealer), turned === undefined ? "" : cardWords(turned));
  }
  if (event.cardPlayed) return played(event.cardPlayed, seats);
  if (event.cardsDrawn) return drawn(event.cardsDrawn, seats);
  if (event.penaltyTaken) {
    const { seat, count, cards } = event.penaltyTaken;
    return withFaces(w.tookPenalty(seats.who(seat), words.cards(count)), cards);
  }
  if (event.pileShuffled) return w.shuffled(event.pileShuffled.count);
  return null;
}

function ofWords(event: Event, seats: Seats): string | null {
  const w = mauMauWords.value.events;
  if (event.turnPassed) return w.passed(seats.who(event.turnPassed.seat));
  if (event.mauMauCalled) return w.called(seats.who(event.mauMauCalled.seat));
  if (event.accused) return w.accused(seats.who(event.accused.seat), seats.inside(event.accused.accusedSeat));
  if (event.matchEnded) {
    const { winnerSeat, cardsLeft } = event.matchEnded;
    if (winnerSeat === undefined) return w.draw;
    return cardsLeft[winnerSeat] === 0
      ? w.won(seats.who(winnerSeat))
      : w.wonByCount(seats.inside(winnerSeat));
  }
  return null;
}

function played({ seat, card, suit, penalty, nextSeat }: CardPlayed, seats: Seats): string | null {
  if (card === undefined) return null;
  const w = mauMauWords.value.events;
  const said = w.played(seats.who(seat), cardWords(card));
  if (nextSeat === undefined) return `${said}.`; // The last card has no effect.
  switch (card.rank) {
    case "RANK_ACE":
      return `${said}: ${w.skips}.`;
    case "RANK_QUEEN":
      return `${said}: ${w.turnsRound}.`;
    case "RANK_NINE":
      return `${said}: ${w.nine}.`;
    case "RANK_SEVEN":
      return `${said}: ${w.owes(penalty)}.`;
    case "RANK_JACK":
      return `${said} ${w.names(suitWord(suit))}.`;
    default:
      return `${said}.`;
  }
}

function drawn({ seat, count, reason, cards }: CardsDrawn, seats: Seats): string {
  const words = mauMauWords.value;
  const why = words.events.reasons[reason];
  if (count === 0) return words.events.drewNothing(seats.who(seat));
  const what = words.cards(count) + (why === "" ? "" : ` ${why}`);
  return withFaces(words.events.drew(seats.who(seat), what), cards);
}

function withFaces(said: string, cards: readonly Card[]): string {
  if (cards.length === 0) return said;
  return `${said} ${mauMauWords.value.events.faces(cards.length, cards.map(cardWords).join(", "))}`;
}

/** What a seat says aloud at this event. */
export function speech({ mauMau: event }: TableEvent): readonly [number, string] | null {
  const w = mauMauWords.value.speech;
  if (event?.mauMauCalled) return [event.mauMauCalled.seat, w.called];
  if (event?.turnPassed) return [event.turnPassed.seat, w.passed];
  if (event?.penaltyTaken) return [event.penaltyTaken.seat, `+${event.penaltyTaken.count}`];
  if (event?.cardPlayed?.card?.rank === "RANK_JACK" && event.cardPlayed.nextSeat !== undefined) {
    return [event.cardPlayed.seat, w.suit(capital(suitWord(event.cardPlayed.suit)))];
  }
  return null;
}
