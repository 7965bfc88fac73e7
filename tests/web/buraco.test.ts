// What the table of Buraco, Tranca and Canastra offers, orders and tells, and how it deals a match of the record again.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Legal, Meld, View } from "../../web/src/api/generated/games_buraco.ts";
import type { MatchRecord } from "../../web/src/api/matches.ts";
import { type Card, cardCode, cardOf } from "../../web/src/cards/cards.ts";
import { fromHex } from "../../web/src/fairness/bytes.ts";
import { Draws } from "../../web/src/fairness/draws.ts";
import { checkDeals } from "../../web/src/games/buraco/check.ts";
import { packedCode, shownCode } from "../../web/src/games/buraco/codes.ts";
import { type SeenDeals, seeDeals } from "../../web/src/games/buraco/deals.ts";
import { adding, discarding, taking } from "../../web/src/games/buraco/deeds.ts";
import { arrived, laidLately } from "../../web/src/games/buraco/lately.ts";
import { fits } from "../../web/src/games/buraco/moves.ts";
import { tellingName } from "../../web/src/games/buraco/names.ts";
import { grouped } from "../../web/src/games/buraco/order.ts";
import { interludes } from "../../web/src/games/buraco/scene.ts";
import { type BuracoTable, pointsSoFar } from "../../web/src/games/buraco/table.ts";
import { en } from "../../web/src/games/buraco/words/en.ts";
import { pt } from "../../web/src/games/buraco/words/pt.ts";
import { choose } from "../../web/src/i18n/language.ts";

function cards(codes: string, pack = 0): Card[] {
  return codes.split(" ").map((code) => ({ ...cardOf(code), pack }));
}

function legal(more: Partial<Legal>): Legal {
  return {
    turn: 3,
    drawStock: false,
    takeLixo: false,
    justifications: [],
    moreJustifications: false,
    newMelds: [],
    moreMelds: false,
    additions: [],
    discards: [],
    endTurn: false,
    ...more,
  };
}

function table(described: Legal, buraco: Partial<View> = {}): BuracoTable {
  return { legal: described, buraco: { lixoCount: 5, barred: [], ...buraco } } as never;
}

const codes = (groups: readonly (readonly Card[])[]): string =>
  groups.map((group) => group.map(cardCode).join(" ")).join(" | ");

test("a hand is grouped by suit or by rank, the wilds apart", () => {
  const hand = cards("KC 3P ★ AC 2E 10C 3E AP");
  assert.equal(codes(grouped(hand, "suit")), "★ 2E | 3P AP | 3E | 10C KC AC");
  assert.equal(codes(grouped(hand, "rank")), "★ 2E | 3P 3E | 10C | KC | AP AC");
});

test("of twins either may be discarded, but not the one that is barred", () => {
  const [first, second] = [...cards("7C"), ...cards("7C", 1)] as [Card, Card];
  const described = legal({ discards: [second] });
  assert.deepEqual(discarding(table(described), [first]), { discard: { turn: 3, card: first } });
  assert.equal(discarding(table(described, { barred: [first] }), [first]), null);
  assert.equal(discarding(table(described), [first, second]), null);
});

test("the lixo is taken as it is, in its only way, or with the cards that are chosen", () => {
  const way = { cards: cards("5C 6C") };
  const one = legal({ drawStock: true, justifications: [way] });
  const some = legal({ drawStock: true, justifications: [way, { cards: [], meld: 4 }] });
  assert.deepEqual(taking(table(legal({ drawStock: true, takeLixo: true })), []), {
    takeLixo: { turn: 3, cards: [] },
  });
  assert.deepEqual(taking(table(one), []), { takeLixo: { turn: 3, cards: way.cards } });
  assert.equal(taking(table(some), []), null);
  assert.deepEqual(taking(table(some), cards("5C 8C")), { takeLixo: { turn: 3, cards: cards("5C 8C") } });
  assert.equal(taking(table(legal({ discards: cards("5C") })), []), null);
});

test("cards go onto a meld in the turn, and with the lixo's top before it", () => {
  const meld = { number: 4 } as Meld;
  const playing = legal({ additions: [{ meld: 4, cards: cards("8C 2E"), together: cards("8C 9C 10C") }] });
  assert.ok(fits(playing, meld, cards("8C", 1)));
  assert.ok(fits(playing, meld, cards("8C 9C")));
  assert.ok(!fits(playing, meld, cards("9C")));
  assert.deepEqual(adding(table(playing), 4, cards("9C")), {
    extendMeld: { turn: 3, meld: 4, cards: cards("9C") },
  });
  const drawing = legal({ drawStock: true, justifications: [{ cards: [], meld: 4 }] });
  assert.deepEqual(adding(table(drawing), 4, []), { takeLixo: { turn: 3, cards: [], meld: 4 } });
  assert.equal(adding(table(drawing), 5, []), null);
});

test("what came in this turn and what was laid in the last one stand out", () => {
  const [drawn] = cards("7C") as [Card];
  const events = [
    {
      meldLaid: {
        turn: 1,
        seat: 0,
        number: 0,
        shape: { kind: "MELD_KIND_RUN", cards: cards("3O 4O 5O"), wilds: [] },
      },
    },
    { turnEnded: { turn: 1, seat: 0, nextSeat: 1 } },
    { meldExtended: { turn: 2, seat: 1, number: 1, added: cards("9E") } },
    { turnEnded: { turn: 2, seat: 1, nextSeat: 0 } },
    { stockDrawn: { turn: 3, seat: 0, card: drawn } },
  ].map((buraco, index) => ({ version: index, buraco })) as never;
  assert.equal(arrived(events, 0).size, 1);
  assert.equal(arrived(events, 1).size, 0);
  assert.equal(laidLately(events).size, 1);
});

test("two melds of one name are told apart by their ends, or by how many cards they have", () => {
  choose("pt");
  const run = (codes: string) => {
    const all = cards(codes);
    return { kind: "MELD_KIND_RUN", cards: all, wilds: all.filter(({ rank }) => rank === "RANK_TWO") };
  };
  const kings = (count: number) => ({
    kind: "MELD_KIND_SET",
    cards: cards("KP KC KE KO".slice(0, 3 * count - 1)),
    wilds: [],
  });
  const melds = [run("3P 4P 5P 2P"), run("JP 2E KP AP"), kings(3), kings(4)] as never as Meld[];
  const names = (among: readonly Meld[]) => among.map((meld) => tellingName(meld, among));
  assert.deepEqual(names(melds), [
    "Sequência de paus, 3–5",
    "Sequência de paus, J–A",
    "Trinca de reis, 3 cartas",
    "Trinca de reis, 4 cartas",
  ]);
  assert.deepEqual(names(melds.slice(1, 3)), ["Sequência de paus", "Trinca de reis"]);
});

test("points so far are those of the deals that ended and what lies on the table", () => {
  const sides = [
    { side: 0, cardPoints: 85, canastraPoints: 200 },
    { side: 1, cardPoints: 15, canastraPoints: 0 },
  ];
  const running = { phase: "PHASE_PLAY", score: [-100, 400], sides } as never;
  assert.deepEqual(pointsSoFar(running), [185, 415]);
  assert.deepEqual(pointsSoFar({ ...(running as object), phase: "PHASE_OVER" } as never), [-100, 400]);
});

test("a deal's end is looked at before the next one is dealt, the last one's in the result", () => {
  const before = { buraco: { score: [0, 0], legal: {} }, clock: {} } as never;
  const ended = { version: 2, buraco: { dealEnded: { deal: 1, sides: [], score: [300, -50] } } };
  const [shown] = interludes(before, [ended]);
  assert.deepEqual([shown?.view.buraco?.score, shown?.view.clock], [[300, -50], undefined]);
  const over = { version: 3, buraco: { matchEnded: { winners: [0], score: [300, -50] } } };
  assert.deepEqual(interludes(before, [ended, over]), []);
});

test("codes of the record and cards of the page are the same cards", () => {
  const [ten] = cards("10E", 1) as [Card];
  const [joker] = cards("★", 3) as [Card];
  assert.deepEqual([packedCode(ten), packedCode(joker)], ["TEb", "JKd"]);
  assert.deepEqual([shownCode("TEb"), shownCode("JKd")], ["10E", "★"]);
  assert.equal(cardOf(shownCode("JKa")).rank, "RANK_JOKER");
});

test("both languages count", () => {
  assert.deepEqual([pt.ordinal(2), en.ordinal(2), en.ordinal(12)], ["2ª", "2nd", "12th"]);
  assert.deepEqual([pt.points(-1), pt.points(200), en.points(1)], ["-1 ponto", "200 pontos", "1 point"]);
});

/** The record of a golden log, as the gateway would give it to seat 0. */
function recordOf(name: string): MatchRecord {
  const file = new URL(`../golden/logs/table/${name}.jsonl`, import.meta.url);
  const events = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as MatchRecord["events"][number]);
  const opened = events[0]?.payload as unknown as MatchRecord;
  return { ...opened, events, your_seat: 0 };
}

async function pointsOf(record: MatchRecord, seen: SeenDeals = {}) {
  const { secret } = record.events.at(-1)?.payload as unknown as { secret: string };
  const draws = await Draws.of(fromHex(secret), record.table_id, record.entropy.map(fromHex));
  const { reports, points } = await checkDeals(record, draws, seen, String);
  return [...points, ...reports.flatMap((report) => report.points)];
}

const MATCHES = ["tranca.players-2.seed-10", "canastra.players-4.seed-13", "buraco-fechado.players-4.seed-6"];

for (const name of MATCHES) {
  test(`every deal and every draw of ${name} is made again`, async () => {
    const points = await pointsOf(recordOf(name));
    assert.deepEqual(
      points.filter(({ state }) => state === "wrong"),
      [],
    );
    assert.equal(points.filter(({ state }) => state === "ok").length, 7);
  });
}

test("a card that was not the stock's first, or not held, is found, and so is what was seen otherwise", async () => {
  const record = recordOf("tranca.players-2.seed-10");
  const change = (type: string, card: string): MatchRecord => {
    const at = record.events.findIndex((event) => event.type === type);
    const events = record.events.map((event, index) =>
      index === at ? { ...event, payload: { ...event.payload, card } } : event,
    );
    return { ...record, events } as MatchRecord;
  };
  for (const type of ["buraco.stock_drawn", "buraco.card_discarded"]) {
    assert.ok(
      (await pointsOf(change(type, "JKd"))).some(({ state }) => state === "wrong"),
      type,
    );
  }
  const seen: SeenDeals = {
    1: { starter: 0, hand: ["JKc"], drawn: ["JKd"], morto: ["JKd"], played: [[0, "JKd"]] },
  };
  const wrong = (await pointsOf(record, seen)).filter(({ state }) => state === "wrong");
  assert.ok(wrong.length >= 4);
});

test("what an update shows of a deal is kept: who began, one's cards, draws and what left hands", () => {
  const [drawn, gone] = cards("7C 9E") as [Card, Card];
  const update = {
    isResync: false,
    events: [
      { version: 1, buraco: { dealStarted: { deal: 1, starter: 1, turn: 1, stockCount: 60, lixo: [] } } },
      { version: 2, buraco: { stockDrawn: { turn: 1, seat: 1 } } },
      { version: 3, buraco: { cardDiscarded: { turn: 1, seat: 1, card: gone } } },
      { version: 4, buraco: { stockDrawn: { turn: 2, seat: 0, card: drawn } } },
    ],
    view: { yourSeat: 0, buraco: { deal: 1, hands: [{ seat: 0, count: 1, cards: [drawn] }] } },
  };
  const once = seeDeals({}, update as never);
  assert.deepEqual(seeDeals(structuredClone(once), update as never), once);
  assert.deepEqual(once, {
    1: { starter: 1, hand: ["7Ca"], drawn: ["7Ca"], played: [[1, "9Ea"]] },
  });
});
