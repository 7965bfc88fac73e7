// Truco's deals, made again from docs/fairness.md, and compared with the record and with what was seen.

import type { MatchRecord } from "../../api/matches.ts";
import type { Deals } from "../../fairness/check.ts";
import type { Draws } from "../../fairness/draws.ts";
import {
  allRight,
  type DealReport,
  holds,
  dealsInOrder,
  matches,
  type Point,
} from "../../fairness/report.ts";
import type { SeenHand, SeenHands } from "./deals.ts";
import { type TrucoWords, trucoWords } from "./words/index.ts";

const CARDS_PER_SEAT = 3;
const ORDERS = permutations([..."PCEO"]);

/** The forty cards in the order in which they are shuffled. */
export const PACK = [..."PCEO"].flatMap((suit) => [..."4567QJKA23"].map((rank) => rank + suit));

/** One hand as the secret deals it: the cards by seat and place. */
export interface Dealt {
  readonly dealer: number;
  readonly cards: readonly (readonly string[])[];
  readonly vira: string;
}

interface Published extends Dealt {
  readonly hand: number;
  readonly signal_tables?: readonly string[];
}

interface PlayedCard {
  readonly seat: number;
  readonly card: string;
}

interface Hand {
  readonly number: number;
  readonly published: Published;
  readonly dealt: Dealt;
  readonly meanings: readonly string[] | null;
  readonly played: PlayedCard[];
}

/** Deals every hand of the record again. */
export async function checkDeals(
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
): Promise<Deals> {
  const w = trucoWords.value.check;
  const hands = await dealtAgain(record, draws);
  const seenHands = seen as SeenHands;
  return {
    reports: hands.map((hand) => report(hand, seenHands[hand.number], who, w)),
    points: dealsInOrder(
      w,
      hands.map(({ published }) => published.hand),
      seenHands,
    ),
  };
}

async function dealtAgain(record: MatchRecord, draws: Draws): Promise<Hand[]> {
  const seats = record.seats.length;
  const hands: Hand[] = [];
  let dealer = await draws.below("dealer", seats);
  for (const { type, payload } of record.events) {
    if (type === "truco.hand_dealt") {
      const published = payload as unknown as Published;
      const number = hands.length + 1;
      const meanings = published.signal_tables?.length ? await meaningsOf(draws, number) : null;
      hands.push({
        number,
        published,
        dealt: await deal(draws, number, dealer, seats),
        meanings,
        played: [],
      });
      dealer = (dealer + 1) % seats;
    } else if (type === "truco.card_played") {
      hands.at(-1)?.played.push(payload as unknown as PlayedCard);
    }
  }
  return hands;
}

/** Hand `hand` (from 1) as dealt by one of so many seats. */
export async function deal(draws: Draws, hand: number, dealer: number, seats: number): Promise<Dealt> {
  const pack = await draws.shuffled(`hand-${hand}`, PACK);
  const cards: string[][] = [];
  for (let turn = 0; turn < seats; turn += 1) {
    const seat = (dealer + 1 + turn) % seats;
    cards[seat] = pack.slice(turn * CARDS_PER_SEAT, (turn + 1) * CARDS_PER_SEAT);
  }
  return { dealer, cards, vira: pack[seats * CARDS_PER_SEAT] ?? "" };
}

/** What the gestures mean in a hand, by side: the suits in the order of the gestures. */
export async function meaningsOf(draws: Draws, hand: number): Promise<readonly string[]> {
  const others = ORDERS.length - 1;
  const drawn = await draws.below(`signals-${hand}`, ORDERS.length * others);
  const first = Math.floor(drawn / others);
  const left = ORDERS.filter((_, index) => index !== first);
  return [ORDERS[first] ?? "", left[drawn % others] ?? ""];
}

function report(
  { number, published, dealt, meanings, played }: Hand,
  seen: SeenHand = { cards: {}, plays: {} },
  who: (seat: number) => string,
  w: TrucoWords["check"],
): DealReport {
  const seenDeal = seen.vira === undefined ? undefined : [seen.vira, seen.dealer].join();
  const points: Point[] = [
    holds(w.cards, dealt.cards.join() === published.cards.join()),
    holds(w.vira, dealt.vira === published.vira),
    holds(w.dealer, dealt.dealer === published.dealer),
    matches(w.seenDeal, [dealt.vira, dealt.dealer].join(), seenDeal),
    allRight(w.seenHand, cardsSeen(seen), ([seat, card, place]) =>
      place === null ? dealt.cards[seat]?.includes(card) === true : dealt.cards[seat]?.[place] === card,
    ),
    allRight(
      w.seenPlays,
      Object.entries(seen.plays),
      ([card, seat]) => dealt.cards[seat]?.includes(card) === true,
    ),
    holds(w.plays, werePlayedFairly(dealt, played)),
  ];
  if (meanings !== null) points.push(holds(w.signals, meanings.join() === published.signal_tables?.join()));
  const { board, ordinal } = trucoWords.value;
  return {
    title: w.hand(ordinal(number)),
    intro: w.dealtBy(who(dealt.dealer)),
    rows: [
      { name: board.vira, codes: [dealt.vira] },
      ...dealt.cards.map((codes, seat) => ({ name: who(seat), codes })),
    ],
    points,
  };
}

function werePlayedFairly(dealt: Dealt, played: readonly PlayedCard[]): boolean {
  const held = dealt.cards.map((cards) => new Set(cards));
  return played.every(({ seat, card }) => held[seat]?.delete(card) === true);
}

function cardsSeen(seen: SeenHand): readonly (readonly [number, string, number | null])[] {
  return Object.entries(seen.cards).flatMap(([seat, known]) =>
    Object.entries(known).map(([card, place]) => [Number(seat), card, place] as const),
  );
}

/** All orders of these letters, as a dictionary has them when the letters given are its alphabet. */
function permutations(letters: readonly string[]): string[] {
  if (letters.length <= 1) return [letters.join("")];
  return letters.flatMap((letter) =>
    permutations(letters.filter((one) => one !== letter)).map((rest) => letter + rest),
  );
}
