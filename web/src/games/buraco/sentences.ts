// The family's events in words.

import type { Event, View } from "../../api/generated/games_buraco.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import { cardWords } from "../../cards/names.ts";
import type { Seats } from "../../play/seats.ts";
import {
  CANASTRA,
  canastraWords,
  cardsWords,
  meldCards,
  meldName,
  sideName,
  sidesFromOurs,
} from "./names.ts";
import { pointsSoFar } from "./table.ts";
import { buracoWords } from "./words/index.ts";

/** Where the match stands, for who comes to the table. */
export function whereItStands(view: TableView, seats: Seats): string {
  if (view.buraco === undefined) return "";
  const w = buracoWords.value;
  return `${w.events.where(w.ordinal(view.buraco.deal))} ${bothSides(pointsSoFar(view.buraco), seats).join(", ")}.`;
}

/** One event as a sentence, or null for what needs no words. */
export function sentence({ buraco: event }: TableEvent, view: TableView, seats: Seats): string | null {
  if (event === undefined || view.buraco === undefined) return null;
  return ofCards(event, seats) ?? ofMelds(event, view.buraco, seats) ?? ofDeal(event, seats);
}

function ofCards(event: Event, seats: Seats): string | null {
  const words = buracoWords.value;
  const w = words.events;
  if (event.stockDrawn) {
    const { seat, card } = event.stockDrawn;
    return card === undefined ? w.drew(seats.who(seat)) : w.drewCard(seats.who(seat), cardWords(card));
  }
  if (event.redThreeLaid?.card) {
    const { seat, card, fromMorto } = event.redThreeLaid;
    return (fromMorto ? w.redThreeMorto : w.redThree)(seats.who(seat), cardWords(card));
  }
  if (event.redThreeReplaced) {
    const { card } = event.redThreeReplaced;
    return card === undefined ? null : w.replaced(cardWords(card));
  }
  if (event.lixoTaken) {
    const { seat, count, cards } = event.lixoTaken;
    return w.took(seats.who(seat), cards.length === count ? cardsWords(cards) : words.cards(count));
  }
  if (event.cardDiscarded?.card) {
    return w.discarded(seats.who(event.cardDiscarded.seat), cardWords(event.cardDiscarded.card));
  }
  if (event.mortoTaken) {
    const { seat, direct, cards } = event.mortoTaken;
    const took = (direct ? w.mortoDirect : w.mortoLater)(seats.who(seat));
    return cards.length === 0 ? took : `${took} ${w.mortoMine(cardsWords(cards))}`;
  }
  return event.mortoTurned ? w.mortoTurned(words.cards(event.mortoTurned.count)) : null;
}

function ofMelds(event: Event, buraco: View, seats: Seats): string | null {
  const words = buracoWords.value;
  const w = words.events;
  if (event.meldLaid?.shape) {
    const { seat, number, shape } = event.meldLaid;
    const laid = w.laid(seats.who(seat), meldName(shape).toLowerCase(), meldCards(shape));
    return `${laid}${canastraNow(buraco, number, shape.cards.length, 0)}`;
  }
  if (event.meldExtended?.shape) {
    const { seat, number, added, shape } = event.meldExtended;
    const count = shape.cards.length;
    const name = meldName(shape).toLowerCase();
    const put = w.added(seats.who(seat), cardsWords(added), name, words.cards(count));
    return `${put}${canastraNow(buraco, number, count, count - added.length)}`;
  }
  return null;
}

/** That a meld became a canastra, and which. */
function canastraNow(buraco: View, number: number, count: number, before: number): string {
  const meld = buraco.melds.find((one) => one.number === number);
  if (meld === undefined || !meld.isCanastra || before >= CANASTRA || count < CANASTRA) return "";
  return ` ${buracoWords.value.events.canastra(canastraWords(meld))}`;
}

function ofDeal(event: Event, seats: Seats): string | null {
  const words = buracoWords.value;
  const w = words.events;
  if (event.dealStarted) {
    const { deal, starter, lixo } = event.dealStarted;
    return w.dealt(words.ordinal(deal), seats.inside(starter), cardsWords(lixo));
  }
  if (event.dealEnded) {
    const { deal, outSeat, sides, score } = event.dealEnded;
    const how = outSeat === undefined ? w.exhausted : w.wentOut(seats.who(outSeat));
    const [ours = "", theirs = ""] = bothSides(
      sides.map(({ total }) => total),
      seats,
    );
    const told = `${how} ${w.dealEnded(ours, theirs)}`;
    return deal === 1 ? told : `${told} ${w.scoreNow(...bothSides(score, seats))}`;
  }
  if (event.matchEnded) {
    const [winner, ...others] = event.matchEnded.winners;
    if (winner === undefined || others.length > 0) return w.matchDrawn;
    const isPair = seats.count > 2;
    if (seats.isOurs(winner) && seats.isMineKnown) return w.matchWon(isPair);
    return isPair && seats.isMineKnown ? w.matchLostPair : w.matchLost(sideName(seats, winner));
  }
  return null;
}

/** Both sides' points in words, one's own first. */
function bothSides(points: readonly number[], seats: Seats): [string, string] {
  const said = (side: number): string => buracoWords.value.score.of(sideName(seats, side), points[side] ?? 0);
  const [ours, theirs] = sidesFromOurs(seats);
  return [said(ours), said(theirs)];
}

/** What a seat says aloud at this event. */
export function speech({ buraco: event }: TableEvent): readonly [number, string] | null {
  const w = buracoWords.value.speech;
  if (event?.mortoTaken) return [event.mortoTaken.seat, w.morto];
  if (event?.dealEnded?.outSeat !== undefined) return [event.dealEnded.outSeat, w.out];
  const laid = event?.meldLaid;
  if (laid?.shape && laid.shape.cards.length >= CANASTRA) return [laid.seat, w.canastra];
  const more = event?.meldExtended;
  if (!more?.shape) return null;
  const count = more.shape.cards.length;
  return count >= CANASTRA && count - more.added.length < CANASTRA ? [more.seat, w.canastra] : null;
}
