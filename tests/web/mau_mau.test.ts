// What Mau Mau's table offers and tells, and the order of a hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Consequence, LegalMove } from "../../web/src/api/generated/games_mau_mau.ts";
import { cardKey, cardOf, type Suit } from "../../web/src/cards/cards.ts";
import { ordered } from "../../web/src/cards/order.ts";
import { PACK } from "../../web/src/games/mau_mau/check.ts";
import { seeDeals } from "../../web/src/games/mau_mau/deals.ts";
import { offered } from "../../web/src/games/mau_mau/moves.ts";
import { clockwise } from "../../web/src/play/places.ts";

function plays(code: string, suit: Suit, call = false, consequence: Consequence = "CONSEQUENCE_UNSPECIFIED") {
  return { move: { playCard: { turn: 1, card: cardOf(code), suit, call } }, consequence } as LegalMove;
}

test("a Jack is offered once with each suit, another card once, a call apart", () => {
  const suits: Suit[] = ["SUIT_PAUS", "SUIT_COPAS", "SUIT_ESPADAS", "SUIT_OUROS"];
  const { plays: plain, calledPlays } = offered([
    ...suits.map((suit) => plays("JO", suit)),
    plays("9C", "SUIT_UNSPECIFIED"),
    plays("9C", "SUIT_UNSPECIFIED", true),
  ]);
  assert.deepEqual([...(plain.get(cardKey(cardOf("JO")))?.keys() ?? [])], suits);
  assert.equal(plain.get(cardKey(cardOf("9C")))?.size, 1);
  assert.deepEqual([...calledPlays.keys()], [cardKey(cardOf("9C"))]);
});

test("m08: what draws five cards by rule is not offered, nor a draw that plays by itself", () => {
  const offer = offered([
    plays("9C", "SUIT_UNSPECIFIED", true, "CONSEQUENCE_DRAWS_FIVE"),
    { move: { accuse: { turn: 1, seat: 2 } }, consequence: "CONSEQUENCE_DRAWS_FIVE" },
    { move: { drawAndGo: { turn: 1 } }, consequence: "CONSEQUENCE_UNSPECIFIED" },
  ]);
  assert.deepEqual([offer.calledPlays.size, offer.accuse, offer.draw], [0, undefined, undefined]);
});

test("a hand is put in order by suit or by rank", () => {
  const hand = ["10O", "2P", "AO", "2C"].map(cardOf);
  const codes = (order: "suit" | "rank") => ordered(hand, order).map((card) => hand.indexOf(card));
  assert.deepEqual(codes("suit"), [1, 3, 2, 0]);
  assert.deepEqual(codes("rank"), [2, 1, 3, 0]);
});

test("the deal's own cards are kept from the view before the first play alone", () => {
  const hand = { seat: 1, count: 6, cards: ["2P", "3P", "4P", "5P", "6P", "7P"].map(cardOf) };
  const view = { status: "TABLE_STATUS_PLAYING", yourSeat: 1 };
  const mauMau = { turn: 1, pileCount: 1, dealer: 3, top: cardOf("9C"), hands: [hand] };
  const first = seeDeals({}, { events: [], view: { ...view, mauMau } } as never);
  assert.deepEqual(first, { dealer: 3, turned: "9C", hand: "2P,3P,4P,5P,6P", events: {} });
  const late = seeDeals({}, { events: [], view: { ...view, mauMau: { ...mauMau, pileCount: 4 } } } as never);
  assert.deepEqual(late, { dealer: 3, events: {} });
});

test("two packs are shuffled, and the next seat sits to one's left", () => {
  assert.equal(PACK.length, 104);
  assert.deepEqual([PACK[9], PACK[61]], ["10P", "10P"]);
  assert.deepEqual([clockwise(1, 8), clockwise(7, 8), clockwise(4, 8)], ["left-low", "right-low", "top"]);
});
