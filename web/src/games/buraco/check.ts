// The family's deals, made again from docs/fairness.md, and compared with the record and with what was seen.

import type { MatchRecord } from "../../api/matches.ts";
import type { Deals } from "../../fairness/check.ts";
import type { Draws } from "../../fairness/draws.ts";
import { allRight, type DealReport, holds, dealsInOrder, matches } from "../../fairness/report.ts";
import { pack, shownCode } from "./codes.ts";
import type { SeenDeal, SeenDeals } from "./deals.ts";
import { type Dealt, type Recorded, Replay } from "./replay.ts";
import { buracoWords } from "./words/index.ts";

const CARDS_PER_SEAT = 11;
const MORTOS = 2;

/** What the table's switches say of its deals. */
export interface DealRules {
  readonly jokers: number;
  readonly turnsOne: boolean;
  readonly hasSpecialThrees: boolean;
}

interface Published extends Dealt {
  readonly deal: number;
}

interface Deal {
  readonly number: number;
  readonly published: Published;
  readonly dealt: Dealt;
  readonly replay: Replay;
}

/** Deals every deal of the record again, and plays it again. */
export async function checkDeals(
  record: MatchRecord,
  draws: Draws,
  seen: unknown,
  who: (seat: number) => string,
): Promise<Deals> {
  const w = buracoWords.value.check;
  const deals = await dealtAgain(record, draws);
  const seenDeals = seen as SeenDeals;
  return {
    reports: deals.map((deal) => report(deal, seenDeals[deal.number], record.your_seat, who)),
    points: dealsInOrder(
      w,
      deals.map(({ published }) => published.deal),
      seenDeals,
    ),
  };
}

async function dealtAgain(record: MatchRecord, draws: Draws): Promise<Deal[]> {
  const seats = record.seats.length;
  const rules = rulesOf(record);
  const deals: Deal[] = [];
  let starter = await draws.below("starter", seats);
  for (const { type, payload } of record.events) {
    if (type === "buraco.deal_started") {
      const published = payload as unknown as Published;
      const number = deals.length + 1;
      const dealt = await deal(draws, number, starter, seats, rules);
      deals.push({ number, published, dealt, replay: new Replay(dealt) });
      starter = (starter + 1) % seats;
    } else deals.at(-1)?.replay.take(type, payload as unknown as Recorded);
  }
  return deals;
}

/** Deal `number` (from 1) as begun by one of so many seats. */
export async function deal(
  draws: Draws,
  number: number,
  starter: number,
  seats: number,
  rules: DealRules,
): Promise<Dealt> {
  const cards = await draws.shuffled(`deal-${number}`, pack(rules.jokers));
  const parts = Array.from({ length: seats + MORTOS }, (_, index) =>
    cards.slice(index * CARDS_PER_SEAT, (index + 1) * CARDS_PER_SEAT),
  );
  const stock = cards.slice((seats + MORTOS) * CARDS_PER_SEAT);
  const lixo: string[] = [];
  if (rules.turnsOne) {
    while (rules.hasSpecialThrees && /^3[CO]/.test(stock[0] ?? "")) stock.push(stock.shift() ?? "");
    lixo.push(stock.shift() ?? "");
  }
  const hands = Array.from({ length: seats }, (_, seat) => parts[(seat - starter + seats) % seats] ?? []);
  return { starter, hands, mortos: parts.slice(seats), stock, lixo };
}

function rulesOf(record: MatchRecord): DealRules {
  const { switches } = record;
  return {
    jokers: Number(switches["jokers"] ?? 0),
    turnsOne: switches["lixo_start"] === "one_turned",
    hasSpecialThrees: switches["special_threes"] === "true",
  };
}

function report(
  { number, published, dealt, replay }: Deal,
  seen: SeenDeal = { drawn: [], played: [] },
  mine: number | undefined,
  who: (seat: number) => string,
): DealReport {
  const words = buracoWords.value;
  const w = words.check;
  const { stock, mortos, lixo, hands, starter } = dealt;
  const came = new Set([...(hands[mine ?? -1] ?? []), ...seen.drawn]);
  const seenPoints = [
    matches(w.seenStarter, starter, seen.starter),
    allRight(w.seenHand, seen.hand ?? [], (card) => came.has(card)),
    allRight(w.seenDraws, inOrder(seen.drawn, [...stock, ...mortos.flat()]), (isNext) => isNext),
    allRight(w.seenMorto, seen.morto === undefined ? [] : [seen.morto], (cards) =>
      mortos.some((morto) => sorted(morto) === sorted(cards)),
    ),
    allRight(w.seenPlays, seen.played, ([seat, card]) => replay.played.has(`${seat} ${card}`)),
  ];
  return {
    title: w.deal(words.ordinal(number)),
    intro: w.startedBy(who(starter)),
    rows: [
      ...hands.map((cards, seat) => ({ name: who(seat), codes: cards.map(shownCode) })),
      ...mortos.map((cards, index) => ({ name: w.morto(index + 1), codes: cards.map(shownCode) })),
      ...(lixo.length > 0 ? [{ name: w.lixo, codes: lixo.map(shownCode) }] : []),
      { name: w.stock, codes: stock.map(shownCode) },
    ],
    points: [
      holds(w.starter, starter === published.starter),
      holds(w.hands, hands.join("|") === published.hands.join("|")),
      holds(
        w.piles,
        [stock, ...mortos, lixo].join("|") ===
          [published.stock, ...published.mortos, published.lixo].join("|"),
      ),
      holds(w.draws, replay.areDrawsRight),
      holds(w.plays, replay.arePlaysRight),
      ...seenPoints,
    ],
  };
}

/** Of each card, whether it stands after the one before it: what one drew, among all that was drawn. */
function inOrder(cards: readonly string[], all: readonly string[]): readonly boolean[] {
  let before = -1;
  return cards.map((card) => {
    const at = all.indexOf(card);
    const isNext = at > before;
    before = at;
    return isNext;
  });
}

function sorted(cards: readonly string[]): string {
  return [...cards].sort().join();
}
