// Sueca's events in words.

import type { HandEnded } from "../../api/generated/games_sueca.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import { cardWords } from "../../cards/names.ts";
import type { Seats } from "../../play/seats.ts";
import { scoreInWords } from "../../play/sentences.ts";
import { suecaWords } from "./words/index.ts";

/** Where the match stands, for who comes to the table. */
export function whereItStands(view: TableView, seats: Seats): string {
  if (view.sueca === undefined) return "";
  const w = suecaWords.value;
  const { hand, trumpCard, score } = view.sueca;
  const where = trumpCard === undefined ? "" : w.events.where(w.ordinal(hand), cardWords(trumpCard));
  return `${scoreInWords(suecaWords.value.score, score, seats)} ${where}`.trim();
}

/** One event as a sentence, or null for what needs no words. */
export function sentence({ sueca: event }: TableEvent, _: TableView, seats: Seats): string | null {
  if (event === undefined) return null;
  const words = suecaWords.value;
  const w = words.events;
  if (event.handDealt) {
    const { hand, dealer, leader, trumpCard } = event.handDealt;
    const card = trumpCard === undefined ? "" : cardWords(trumpCard);
    return `${w.dealt(words.ordinal(hand), seats.inside(dealer), card)} ${w.leads(seats.who(leader))}`;
  }
  if (event.cardPlayed) {
    const { seat, card } = event.cardPlayed;
    return card === undefined ? null : w.played(seats.who(seat), cardWords(card));
  }
  if (event.trickEnded) {
    const { trick, winnerSeat, points } = event.trickEnded;
    return w.trickWon(seats.who(winnerSeat), words.ordinal(trick), words.points(points));
  }
  if (event.handEnded) return handEnd(event.handEnded, seats);
  if (event.matchEnded) {
    const { winnerSide } = event.matchEnded;
    if (!seats.isMineKnown) return w.matchWonBy(seats.sideNames(winnerSide));
    return seats.isOurs(winnerSide) ? w.matchWon : w.matchLost;
  }
  return null;
}

function handEnd(
  { winnerSide, cardPoints, points, isBandeira, score, carry }: HandEnded,
  seats: Seats,
): string {
  const words = suecaWords.value;
  const w = words.events;
  if (winnerSide === undefined) return w.tied(carry);
  const isOurs = seats.isOurs(winnerSide);
  const names = seats.isMineKnown ? null : seats.sideNames(winnerSide);
  const [cards, worth] = [cardsText(cardPoints, winnerSide), words.gamePoints(points)];
  const won = isBandeira
    ? names === null
      ? w.bandeira(isOurs)
      : w.bandeiraOf(names)
    : names === null
      ? w.handWon(isOurs, cards, worth)
      : w.handWonBy(names, cards, worth);
  return `${won} ${scoreInWords(suecaWords.value.score, score, seats)}`;
}

/** The points of cards as one says them, the winner's first: "78 a 42". */
export function cardsText(cardPoints: readonly number[], winnerSide: number): string {
  return suecaWords.value.cardPoints(cardPoints[winnerSide] ?? 0, cardPoints[1 - winnerSide] ?? 0);
}
