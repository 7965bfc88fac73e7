// Sueca's deals, made again from docs/fairness.md, and compared with the record and with what was seen.

import type { MatchRecord } from "../../api/matches.ts";
import type { Deals } from "../../fairness/check.ts";
import type { Draws } from "../../fairness/draws.ts";
import { allRight, type DealReport, holds, dealsInOrder, matches } from "../../fairness/report.ts";
import type { SeenHand, SeenHands } from "./deals.ts";
import { suecaWords } from "./words/index.ts";

const SEATS = 4;
const CARDS_PER_SEAT = 10;

/** The forty cards in the order in which they are shuffled. */
export const PACK = [..."PCEO"].flatMap((suit) => [..."23456QJK7A"].map((rank) => rank + suit));

/** One hand as the secret deals it: the cards by seat and place. */
export interface Dealt {
  readonly dealer: number;
  readonly cards: readonly (readonly string[])[];
  readonly trump: string;
}

interface Published {
  readonly hand: number;
  readonly dealer: number;
  readonly trump_card: string;
  readonly cards: readonly (readonly string[])[];
}

interface PlayedCard {
  readonly seat: number;
  readonly card: string;
}

interface Hand {
  readonly number: number;
  readonly published: Published;
  readonly dealt: Dealt;
  readonly played: PlayedCard[];
}

/** Deals every hand of the record again. */
export async function checkDeals(
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
): Promise<Deals> {
  const w = suecaWords.value.check;
  const hands = await dealtAgain(record, draws);
  const seenHands = seen as SeenHands;
  return {
    reports: hands.map((hand) => report(hand, seenHands[hand.number], who)),
    points: dealsInOrder(
      w,
      hands.map(({ published }) => published.hand),
      seenHands,
    ),
  };
}

async function dealtAgain(record: MatchRecord, draws: Draws): Promise<Hand[]> {
  const hands: Hand[] = [];
  let dealer = await draws.below("dealer", SEATS);
  for (const { type, payload } of record.events) {
    if (type === "sueca.hand_dealt") {
      const number = hands.length + 1;
      const dealt = await deal(draws, number, dealer);
      hands.push({ number, published: payload as unknown as Published, dealt, played: [] });
      dealer = (dealer + 1) % SEATS;
    } else if (type === "sueca.card_played") {
      hands.at(-1)?.played.push(payload as unknown as PlayedCard);
    }
  }
  return hands;
}

/** Hand `hand` (from 1) as dealt by this seat. */
export async function deal(draws: Draws, hand: number, dealer: number): Promise<Dealt> {
  const pack = await draws.shuffled(`hand-${hand}`, PACK);
  const cards: string[][] = [];
  for (let turn = 0; turn < SEATS; turn += 1) {
    const seat = (dealer + 1 + turn) % SEATS;
    cards[seat] = pack.slice(turn * CARDS_PER_SEAT, (turn + 1) * CARDS_PER_SEAT);
  }
  return { dealer, cards, trump: pack.at(-1) ?? "" };
}

function report(
  { number, published, dealt, played }: Hand,
  seen: SeenHand = { cards: {}, plays: {} },
  who: (seat: number) => string,
): DealReport {
  const { board, check: w, ordinal } = suecaWords.value;
  const isOf = ([card, seat]: readonly [string, number]): boolean =>
    dealt.cards[seat]?.includes(card) === true;
  const seenDeal = seen.trump === undefined ? undefined : [seen.trump, seen.dealer].join();
  return {
    title: w.hand(ordinal(number)),
    intro: w.dealtBy(who(dealt.dealer)),
    rows: [
      { name: board.trump, codes: [dealt.trump] },
      ...dealt.cards.map((codes, seat) => ({ name: who(seat), codes })),
    ],
    points: [
      holds(w.cards, dealt.cards.join() === published.cards.join()),
      holds(w.trump, dealt.trump === published.trump_card),
      holds(w.dealer, dealt.dealer === published.dealer),
      matches(w.seenDeal, [dealt.trump, dealt.dealer].join(), seenDeal),
      allRight(w.seenHand, Object.entries(seen.cards), isOf),
      allRight(w.seenPlays, Object.entries(seen.plays), isOf),
      holds(w.plays, werePlayedFairly(dealt, played)),
    ],
  };
}

function werePlayedFairly(dealt: Dealt, played: readonly PlayedCard[]): boolean {
  const held = dealt.cards.map((cards) => new Set(cards));
  return played.every(({ seat, card }) => held[seat]?.delete(card) === true);
}
