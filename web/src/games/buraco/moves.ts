// From what is described as legal to what is offered for the cards that are chosen. No rule of the game stands here: what is
// described is surely accepted, and whatever else one asks for, the table answers.

import type { Justification, Legal, Meld, Move } from "../../api/generated/games_buraco.ts";
import { type Card, isSame } from "../../cards/cards.ts";

/** Whether two cards look alike, from whichever pack. */
export function isTwin(one: Card, other: Card): boolean {
  return one.rank === other.rank && one.suit === other.suit;
}

/** Discards this card; null where that is not described. Of twins one is named for both. */
export function discardOf(legal: Legal, card: Card, barred: readonly Card[]): Move | null {
  if (!legal.discards.some((one) => isTwin(one, card)) || barred.some((one) => isSame(one, card)))
    return null;
  return { discard: { turn: legal.turn, card } };
}

/** Lays cards as a new meld. */
export function layingOf(legal: Legal, cards: readonly Card[]): Move {
  return { layMeld: { turn: legal.turn, cards } };
}

/** Adds cards to a meld; before the draw, takes the lixo onto it with them. */
export function addingOf(legal: Legal, meld: number, cards: readonly Card[]): Move {
  if (legal.drawStock) return { takeLixo: { turn: legal.turn, cards, meld } };
  return { extendMeld: { turn: legal.turn, meld, cards } };
}

/** Whether these cards are described as going onto this meld now. */
export function fits(legal: Legal, meld: Meld, cards: readonly Card[]): boolean {
  if (legal.drawStock) {
    return legal.justifications.some((way) => way.meld === meld.number && isSameSet(way.cards, cards));
  }
  const addition = legal.additions.find((one) => one.meld === meld.number);
  if (addition === undefined || cards.length === 0) return false;
  if (cards.length === 1) return addition.cards.some((one) => isTwin(one, cards[0] as Card));
  return isSameSet(addition.together, cards) || isPartOf(addition.together, cards);
}

/** Takes the lixo: as it is, or with cards that put its top card on the table. */
export function takingOf(legal: Legal, way?: Justification): Move {
  const meld = way?.meld;
  return {
    takeLixo: { turn: legal.turn, cards: way?.cards ?? [], ...(meld === undefined ? {} : { meld }) },
  };
}

/** Whether the lixo may be taken in some way that is described. */
export function mayTakeLixo(legal: Legal): boolean {
  return legal.takeLixo || legal.justifications.length > 0;
}

function isSameSet(some: readonly Card[], others: readonly Card[]): boolean {
  return some.length === others.length && isPartOf(some, others);
}

/** Whether each of the second cards has a twin of its own among the first. */
function isPartOf(whole: readonly Card[], part: readonly Card[]): boolean {
  const left = [...whole];
  return part.every((card) => {
    const at = left.findIndex((one) => isTwin(one, card));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
