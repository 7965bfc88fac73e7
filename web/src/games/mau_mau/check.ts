// Mau Mau's deal and shuffles, made again from docs/fairness.md, and compared with the record and with what was seen.

import type { MatchRecord } from "../../api/matches.ts";
import type { Deals } from "../../fairness/check.ts";
import type { Draws } from "../../fairness/draws.ts";
import { allRight, holds, matches } from "../../fairness/report.ts";
import type { SeenDeal } from "./deals.ts";
import { mauMauWords } from "./words/index.ts";

const CARDS_PER_SEAT = 5;
const ONE_PACK = [..."PCEO"].flatMap((suit) => [..."A23456789", "10", ..."JQK"].map((rank) => rank + suit));

/** The 104 cards in the order in which they are shuffled. */
export const PACK: readonly string[] = [...ONE_PACK, ...ONE_PACK];

export interface Dealt {
  readonly dealer: number;
  readonly cards: readonly (readonly string[])[];
  readonly turned: string;
  readonly stock: readonly string[];
}

/** The match's one deal to so many seats. */
export async function deal(draws: Draws, seats: number): Promise<Dealt> {
  const dealer = await draws.below("dealer", seats);
  const pack = await draws.shuffled("deal", PACK);
  const cards: string[][] = [];
  for (let turn = 0; turn < seats; turn += 1) {
    cards[(dealer + 1 + turn) % seats] = pack.slice(turn * CARDS_PER_SEAT, (turn + 1) * CARDS_PER_SEAT);
  }
  const dealt = seats * CARDS_PER_SEAT;
  return { dealer, cards, turned: pack[dealt] ?? "", stock: pack.slice(dealt + 1) };
}

/** Deals the match of the record again, and follows every card from the stock to the pile. */
export async function checkDeals(
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
): Promise<Deals> {
  const w = mauMauWords.value.check;
  const dealt = await deal(draws, record.seats.length);
  const published = record.events.find(({ type }) => type === "mau_mau.cards_dealt")
    ?.payload as unknown as Dealt;
  const course = await followed(record, draws, dealt);
  const { dealer, turned, hand, events = {} } = seen as Partial<SeenDeal>;
  const seenDeal = turned === undefined ? undefined : `${turned} ${dealer}`;
  const mine = record.your_seat === undefined ? undefined : dealt.cards[record.your_seat]?.join();
  const points = [
    holds(w.dealer, dealt.dealer === published.dealer),
    holds(w.cards, dealt.cards.join(";") === published.cards.join(";")),
    holds(w.turnedCard, dealt.turned === published.turned),
    holds(w.stock, dealt.stock.join() === published.stock.join()),
    holds(w.draws, course.drawsAreRight),
    holds(w.shuffles, course.shufflesAreRight),
    holds(w.plays, course.playsAreRight),
    matches(w.seenDeal, `${dealt.turned} ${dealt.dealer}`, seenDeal),
    matches(w.seenHand, mine, hand),
    allRight(
      w.seenEvents,
      Object.entries(events),
      ([version, text]) => course.texts.get(Number(version)) === text,
    ),
  ];
  return {
    points: [],
    reports: [
      {
        title: w.title,
        intro: w.dealtBy(who(dealt.dealer)),
        rows: [
          { name: w.turned, codes: [dealt.turned] },
          ...dealt.cards.map((codes, seat) => ({ name: who(seat), codes })),
        ],
        points,
      },
    ],
  };
}

interface Course {
  drawsAreRight: boolean;
  shufflesAreRight: boolean;
  playsAreRight: boolean;
  /** By version: the seat and the cards of an event. */
  readonly texts: Map<number, string>;
}

/** Whether each card came from where it had to. */
async function followed(record: MatchRecord, draws: Draws, dealt: Dealt): Promise<Course> {
  const course: Course = {
    drawsAreRight: true,
    shufflesAreRight: true,
    playsAreRight: true,
    texts: new Map(),
  };
  const hands = dealt.cards.map((cards) => [...cards]);
  const stock = [...dealt.stock];
  let pile = [dealt.turned];
  for (const { version, type, payload } of record.events) {
    const { seat, card, cards, number, order } = payload as unknown as Payload;
    if (type === "mau_mau.card_played") {
      const place = hands[seat]?.indexOf(card) ?? -1;
      if (place < 0) course.playsAreRight = false;
      else hands[seat]?.splice(place, 1);
      pile.push(card);
      course.texts.set(version, `${seat} ${card}`);
    } else if (type === "mau_mau.cards_drawn" || type === "mau_mau.penalty_taken") {
      if (stock.splice(0, cards.length).join() !== cards.join()) course.drawsAreRight = false;
      hands[seat]?.push(...cards);
      course.texts.set(version, `${seat} ${cards.join()}`);
    } else if (type === "mau_mau.pile_shuffled") {
      const shuffled = await draws.shuffled(`pile-${number}`, pile.slice(0, -1));
      if (shuffled.join() !== order.join()) course.shufflesAreRight = false;
      stock.push(...order);
      pile = pile.slice(-1);
    }
  }
  return course;
}

interface Payload {
  readonly seat: number;
  readonly card: string;
  readonly cards: readonly string[];
  readonly number: number;
  readonly order: readonly string[];
}
