// Cacheta's rounds, dealt again from docs/fairness.md, and compared with the record and with what was seen.

import type { MatchRecord } from "../../api/matches.ts";
import type { Deals } from "../../fairness/check.ts";
import type { Draws } from "../../fairness/draws.ts";
import { allRight, type DealReport, holds, dealsInOrder, matches } from "../../fairness/report.ts";
import { faceCode, type SeenDeals } from "./deals.ts";
import { cachetaWords } from "./words/index.ts";

const CARDS_PER_SEAT = 9;

/** The 104 cards in the order in which they are shuffled. */
export const PACK: readonly string[] = [..."ab"].flatMap((pack) =>
  [..."PCEO"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit + pack)),
);

/** One round as the secret deals it: the hands by seat, empty for who is out. */
export interface Dealt {
  readonly starter: number;
  readonly hands: readonly (readonly string[])[];
  readonly vira: string;
  readonly stock: readonly string[];
}

interface Round {
  readonly number: number;
  readonly published: Dealt & { readonly round: number };
  readonly dealt: Dealt;
  readonly texts: Map<number, string>;
  drawsAreRight: boolean;
  shufflesAreRight: boolean;
  discardsAreRight: boolean;
}

/** Round `round` (from 1), begun by a seat, dealt to those who have points. */
export async function deal(
  draws: Draws,
  round: number,
  starter: number,
  points: readonly number[],
): Promise<Dealt> {
  const pack = await draws.shuffled(`round-${round}`, PACK);
  const hands: string[][] = points.map(() => []);
  let at = 0;
  for (let step = 0; step < points.length; step += 1) {
    const seat = (starter + step) % points.length;
    if (points[seat] === 0) continue;
    hands[seat] = pack.slice(at, at + CARDS_PER_SEAT);
    at += CARDS_PER_SEAT;
  }
  return { starter, hands, vira: pack[at] ?? "", stock: pack.slice(at + 1) };
}

/** Deals every round of the record again, and follows every card. */
export async function checkDeals(
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
): Promise<Deals> {
  const w = cachetaWords.value.check;
  const rounds = await followed(record, draws);
  const { rounds: seenRounds = {}, events = {} } = seen as Partial<SeenDeals>;
  const texts = new Map(rounds.flatMap((round) => [...round.texts]));
  return {
    reports: rounds.map((round) => report(round, seenRounds[round.number] ?? {}, record.your_seat, who)),
    points: [
      ...dealsInOrder(
        w,
        rounds.map(({ published }) => published.round),
        seenRounds,
      ),
      allRight(
        w.seenEvents,
        Object.entries(events),
        ([version, text]) => texts.get(Number(version)) === text,
      ),
    ],
  };
}

interface Payload {
  readonly seat: number;
  readonly card: string;
  readonly stock: readonly string[];
  readonly points: readonly number[];
}

async function followed(record: MatchRecord, draws: Draws): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  const seats = record.seats.length;
  let points: readonly number[] = Array.from({ length: seats }, () => 1);
  let starter = await draws.below("starter", seats);
  let hands: string[][] = [];
  let stock: string[] = [];
  let discards: string[] = [];
  let shuffles = 0;
  for (const { version, type, payload } of record.events) {
    const told = payload as unknown as Payload;
    const round = rounds.at(-1);
    if (type === "cacheta.round_dealt") {
      const number = rounds.length + 1;
      if (number > 1) starter = nextOf(starter, points);
      const dealt = await deal(draws, number, starter, points);
      const right = { drawsAreRight: true, shufflesAreRight: true, discardsAreRight: true };
      const published = payload as unknown as Round["published"];
      rounds.push({ number, published, dealt, texts: new Map(), ...right });
      hands = dealt.hands.map((cards) => [...cards]);
      [stock, discards, shuffles] = [[...dealt.stock], [], 0];
    } else if (round === undefined) continue;
    else if (type === "cacheta.card_drawn") {
      if (stock.shift() !== told.card) round.drawsAreRight = false;
      hands[told.seat]?.push(told.card);
      round.texts.set(version, `${told.seat} ${told.card}`);
    } else if (type === "cacheta.discard_taken") {
      if (discards.pop() !== told.card) round.drawsAreRight = false;
      hands[told.seat]?.push(told.card);
      round.texts.set(version, `${told.seat} ${told.card}`);
    } else if (type === "cacheta.card_discarded") {
      const place = hands[told.seat]?.indexOf(told.card) ?? -1;
      if (place < 0) round.discardsAreRight = false;
      else hands[told.seat]?.splice(place, 1);
      discards.push(told.card);
      round.texts.set(version, `${told.seat} ${told.card}`);
    } else if (type === "cacheta.stock_reshuffled") {
      shuffles += 1;
      const again = await draws.shuffled(`reshuffle-${round.number}-${shuffles}`, discards.slice(0, -1));
      if (again.join() !== told.stock.join()) round.shufflesAreRight = false;
      [stock, discards] = [[...told.stock], discards.slice(-1)];
    } else if (type === "cacheta.round_ended") points = told.points;
  }
  return rounds;
}

/** The next seat that still has points. */
function nextOf(starter: number, points: readonly number[]): number {
  const after = points.map((_, step) => (starter + 1 + step) % points.length);
  return after.find((seat) => points[seat] !== 0) ?? starter;
}

function report(
  round: Round,
  seen: SeenDeals["rounds"][string],
  mySeat: number | undefined,
  who: (seat: number) => string,
): DealReport {
  const w = cachetaWords.value.check;
  const { number, published, dealt } = round;
  const seenVira = seen.vira === undefined ? undefined : `${seen.vira} ${seen.starter}`;
  const mine = mySeat === undefined ? undefined : dealt.hands[mySeat]?.join();
  return {
    title: w.round(number),
    intro: w.startedBy(who(dealt.starter)),
    rows: [
      { name: w.vira, codes: [faceCode(dealt.vira)] },
      ...dealt.hands.map((codes, seat) => ({ name: who(seat), codes: codes.map(faceCode) })),
    ],
    points: [
      holds(w.starter, dealt.starter === published.starter),
      holds(w.cards, dealt.hands.join(";") === published.hands.join(";")),
      holds(w.viraCard, dealt.vira === published.vira),
      holds(w.stock, dealt.stock.join() === published.stock.join()),
      holds(w.draws, round.drawsAreRight),
      holds(w.shuffles, round.shufflesAreRight),
      holds(w.discards, round.discardsAreRight),
      matches(w.seenVira, `${dealt.vira} ${dealt.starter}`, seenVira),
      matches(w.seenHand, mine, seen.hand),
    ],
  };
}
