// How a hand of Cacheta is arranged, what is offered, and what is shown on the way from one view to the next.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, LegalMove } from "../../web/src/api/generated/games_cacheta.ts";
import type { TableView } from "../../web/src/api/generated/table.ts";
import { type Card, cardKey, cardOf } from "../../web/src/cards/cards.ts";
import { arranged, moved } from "../../web/src/games/cacheta/arrangement.ts";
import { PACK } from "../../web/src/games/cacheta/check.ts";
import { faceCode, packedCode, seeDeals } from "../../web/src/games/cacheta/deals.ts";
import { pastRounds } from "../../web/src/games/cacheta/past.ts";
import { offered } from "../../web/src/games/cacheta/moves.ts";
import { interludes } from "../../web/src/games/cacheta/scene.ts";

function card(code: string): Card {
  return { ...cardOf(code.slice(0, -1)), pack: "ab".indexOf(code.slice(-1)) };
}

const hand = ["KOa", "2Pa", "KOb", "10Ca"].map(card);
const codes = (cards: readonly Card[]) => cards.map(packedCode).join(" ");

test("a hand stands in order until a card is moved by hand; what comes then stands at the end", () => {
  assert.equal(codes(arranged(hand, "suit")), "2Pa TCa KOa KOb");
  const own = moved(arranged(hand, "suit"), cardKey(card("KOb")), 0);
  assert.equal(codes(arranged(hand, own)), "KOb 2Pa TCa KOa");
  assert.equal(codes(arranged([...hand.slice(1), card("AEa")], own)), "KOb 2Pa TCa AEa");
  assert.equal(codes(arranged([card("9Oa"), card("3Pa")], own)), "3Pa 9Oa");
  assert.deepEqual(moved(hand, cardKey(card("2Pa")), 9).at(-1), cardKey(card("2Pa")));
});

test("c10: a claim that burns is not offered, and letting pass is", () => {
  const legal: LegalMove[] = [
    { move: { jumpQueue: { round: 1, turn: 2 } }, consequence: "CONSEQUENCE_BURNS" },
    { move: { passJump: { round: 1, turn: 2 } }, consequence: "CONSEQUENCE_UNSPECIFIED" },
  ];
  const offer = offered(legal);
  assert.deepEqual([offer.jump, offer.pass !== undefined], [undefined, true]);
});

test("c06: going out with ten and with nine are told apart", () => {
  const consequence = "CONSEQUENCE_UNSPECIFIED";
  const ten = offered([{ move: { goOut: { round: 1, turn: 2 } }, consequence }]);
  assert.deepEqual([ten.outWithTen !== undefined, ten.outs.size], [true, 0]);
  const nine = offered([{ move: { goOut: { round: 1, turn: 2, discard: card("2Pa") } }, consequence }]);
  assert.deepEqual([nine.outWithTen, [...nine.outs.keys()]], [undefined, [cardKey(card("2Pa"))]]);
});

const hands = [0, 2].map((seat) => ({ seat, count: 9, cards: seat === 2 ? hand : [] }));
const cacheta = { laid: [], burntSeats: [], points: [10, 10, 10, 10], discardCount: 3, window: {}, hands };
const before = { version: 1, clock: {}, cacheta } as unknown as TableView;
const told = (...events: object[]) =>
  events.map((event, index) => ({ version: index + 2, cacheta: event as Event }));
const melds = [{ cards: hand }];
const out = { wentOut: { round: 1, turn: 4, seat: 2, melds } };
const ended = { roundEnded: { round: 1, winner: 2, lost: 1, points: [9, 9, 10, 9], fallenSeats: [] } };

test("who burnt and how the round ended are looked at, each with what was known then", () => {
  const failed = { jumpFailed: { round: 1, turn: 4, seat: 3, burnt: true } };
  const dealt = { roundDealt: { round: 2, starter: 1 } };
  const [burnt, end, ...others] = interludes(before, told(failed, out, ended, dealt));
  assert.equal(others.length, 0);
  assert.deepEqual(burnt?.view.cacheta?.burntSeats, [3]);
  assert.deepEqual(burnt?.view.cacheta?.laid, []);
  assert.deepEqual(end?.view.cacheta?.laid, melds);
  // What was laid is in the hand no more.
  assert.deepEqual(
    end?.view.cacheta?.hands.map(({ cards, count }) => [cards.length, count]),
    [
      [0, 9],
      [0, 0],
    ],
  );
  assert.deepEqual(end?.view.cacheta?.points, [9, 9, 10, 9]);
  assert.deepEqual([end?.view.clock, end?.view.cacheta?.window], [undefined, undefined]);
});

test("past rounds are kept with their melds, the newest first", () => {
  const voided = { roundVoided: { round: 2, reason: "VOID_REASON_TURNS", running: 1 } };
  const rounds = pastRounds(told(out, ended, voided));
  assert.deepEqual(
    rounds.map(({ round, winner }) => [round, winner]),
    [
      [2, undefined],
      [1, 2],
    ],
  );
  assert.deepEqual(rounds[1]?.melds, melds);
});

test("a round's own cards are kept from the view before the first draw alone", () => {
  const cards = PACK.slice(0, 9).map((code) => card(code.replace("T", "10")));
  const view = (turn: number) => ({
    status: "TABLE_STATUS_PLAYING",
    yourSeat: 0,
    cacheta: {
      round: 1,
      turn,
      phase: "PHASE_DRAW",
      starter: 2,
      vira: card("10Ob"),
      hands: [{ seat: 0, cards }],
    },
  });
  const seen = seeDeals({}, { events: [], view: view(1) } as never);
  assert.deepEqual(seen.rounds["1"], { vira: "TOb", starter: 2, hand: PACK.slice(0, 9).join() });
  const late = seeDeals({}, { events: [], view: view(5) } as never);
  assert.equal(late.rounds["1"]?.hand, undefined);
  assert.deepEqual([PACK.length, faceCode("TOb"), faceCode("2Pa")], [104, "10O", "2P"]);
});
