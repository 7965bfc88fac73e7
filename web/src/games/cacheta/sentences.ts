// Cacheta's events in words.

import type { CardDiscarded, Event, RoundEnded, View, WentOut } from "../../api/generated/games_cacheta.ts";
import type { TableEvent, TableView } from "../../api/generated/table.ts";
import { cardWords } from "../../cards/names.ts";
import type { Seats } from "../../play/seats.ts";
import { cachetaWords } from "./words/index.ts";

/** Where the match stands, for who comes to the table. */
export function whereItStands({ cacheta }: TableView, seats: Seats): string {
  if (cacheta?.vira === undefined) return "";
  const w = cachetaWords.value;
  return `${w.history.points(pointsOf(cacheta.points, seats))}. ${w.events.where(cacheta.round, cardWords(cacheta.vira))}`;
}

/** Everybody's points in a row, mine first. */
export function pointsOf(points: readonly number[], seats: Seats): string {
  return points
    .map((_, place) => seats.at(place))
    .map((seat) => cachetaWords.value.result.item(seats.who(seat), points[seat] ?? 0))
    .join(", ");
}

/** One event as a sentence, or null for what needs no words. */
export function sentence({ cacheta: event }: TableEvent, view: TableView, seats: Seats): string | null {
  if (event === undefined) return null;
  return ofTurn(event, seats) ?? ofClaim(event, seats) ?? ofRound(event, view.cacheta, seats);
}

function ofTurn(event: Event, seats: Seats): string | null {
  const w = cachetaWords.value.events;
  if (event.cardDrawn) {
    const { seat, card } = event.cardDrawn;
    return card === undefined ? w.drew(seats.who(seat)) : w.drewCard(seats.who(seat), cardWords(card));
  }
  if (event.discardTaken?.card) {
    return w.took(seats.who(event.discardTaken.seat), cardWords(event.discardTaken.card));
  }
  if (event.cardDiscarded) return discarded(event.cardDiscarded, seats);
  if (event.stockReshuffled) return w.reshuffled(event.stockReshuffled.stockCount);
  return null;
}

function discarded({ seat, card, mayClaim }: CardDiscarded, seats: Seats): string | null {
  if (card === undefined) return null;
  const w = cachetaWords.value.events;
  const said = w.discarded(seats.who(seat), cardWords(card));
  if (mayClaim.length === 0) return said;
  return `${said} ${w.window(mayClaim.map((one) => seats.inside(one)).join(", "))}`;
}

function ofClaim(event: Event, seats: Seats): string | null {
  const w = cachetaWords.value.events;
  if (event.naBoaAnnounced) return w.naBoa(seats.who(event.naBoaAnnounced.seat));
  if (event.jumpClaimed) return w.claimed(seats.who(event.jumpClaimed.seat));
  if (event.jumpFailed) {
    const { seat, burnt } = event.jumpFailed;
    return burnt ? w.burnt(seats.who(seat)) : w.failed(seats.who(seat));
  }
  if (event.windowClosed) {
    const { nextSeat } = event.windowClosed;
    return w.nobody(seats.inside(nextSeat), seats.isMe(nextSeat));
  }
  return null;
}

function ofRound(event: Event, cacheta: View | undefined, seats: Seats): string | null {
  const w = cachetaWords.value.events;
  if (event.roundDealt) {
    const { round, starter, vira } = event.roundDealt;
    const isThisRound = cacheta?.round === round;
    const wilds = isThisRound ? cacheta.wilds.map(cardWords).join(", ") : "";
    return w.dealt(round, seats.who(starter), vira === undefined ? "" : cardWords(vira), wilds);
  }
  if (event.wentOut) return wentOut(event.wentOut, seats);
  if (event.roundEnded) return roundEnded(event.roundEnded, seats);
  if (event.roundVoided) return w.voided[event.roundVoided.reason];
  if (event.matchEnded) {
    const { winner } = event.matchEnded;
    return winner === undefined ? w.draw : w.won(seats.inside(winner), seats.isMe(winner));
  }
  return null;
}

/** How many cards a hand was that was laid down. */
export function laidCount({ melds }: WentOut): number {
  return melds.reduce((count, { cards }) => count + cards.length, 0);
}

function wentOut(event: WentOut, seats: Seats): string {
  const w = cachetaWords.value.events;
  const who = seats.who(event.seat);
  if (event.claimed !== undefined) return w.wentOutClaiming(who, cardWords(event.claimed));
  return w.wentOut(who, laidCount(event));
}

function roundEnded({ winner, lost, fallenSeats }: RoundEnded, seats: Seats): string {
  const w = cachetaWords.value.events;
  const said = w.lost(seats.inside(winner), lost, seats.isMe(winner));
  if (fallenSeats.length === 0) return said;
  return `${said} ${w.fell(fallenSeats.map((seat) => seats.inside(seat)).join(", "))}`;
}

/** What a seat says aloud at this event. */
export function speech({ cacheta: event }: TableEvent): readonly [number, string] | null {
  const w = cachetaWords.value.speech;
  if (event?.naBoaAnnounced) return [event.naBoaAnnounced.seat, w.naBoa];
  if (event?.jumpClaimed) return [event.jumpClaimed.seat, w.jump];
  if (event?.wentOut) return [event.wentOut.seat, w.out];
  return null;
}
