// What Sueca's table shows on the way from one view to the next, in what order it shows a hand, and what it deals again.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, View } from "../../web/src/api/generated/games_sueca.ts";
import type { TableView } from "../../web/src/api/generated/table.ts";
import { cardCode, cardOf } from "../../web/src/cards/cards.ts";
import { fromHex } from "../../web/src/fairness/bytes.ts";
import { Draws } from "../../web/src/fairness/draws.ts";
import { deal, PACK } from "../../web/src/games/sueca/check.ts";
import { handOrder } from "../../web/src/games/sueca/order.ts";
import { pastHands } from "../../web/src/games/sueca/past.ts";
import { interludes, lastTrick, shownTrick } from "../../web/src/games/sueca/scene.ts";

const card = cardOf;

function view(sueca: Partial<View>): TableView {
  const hands = [0, 1, 2, 3].map((seat) => ({
    seat,
    count: 1,
    cards: [card("6O")].slice(0, seat === 3 ? 1 : 0),
  }));
  const told = { tricks: [], hands, score: [0, 0], cardPoints: [20, 30], carry: 0, legalMoves: [], ...sueca };
  return { version: 1, seats: [], sueca: { trumpCard: card("6O"), isTrumpHeld: true, ...told } } as never;
}

function told(...events: Event[]) {
  return events.map((sueca, index) => ({ version: index + 2, sueca }));
}

const first = { leader: 0, cards: [{ seat: 0, card: card("4P") }], winnerSeat: 0, points: 0 };
const trick = {
  leader: 0,
  points: 0,
  cards: [
    { seat: 0, card: card("7P") },
    { seat: 1, card: card("5P") },
    { seat: 2, card: card("KP") },
  ],
};
const last: Event = { cardPlayed: { hand: 1, trick: 2, seat: 3, card: card("6O") } };
const won: Event = { trickEnded: { hand: 1, trick: 2, winnerSeat: 3, points: 14 } };
const end = { hand: 1, cardPoints: [60, 60], points: 0, isBandeira: false, score: [0, 0], carry: 1 };
const dealt: Event = { handDealt: { hand: 2, dealer: 1, leader: 2, trumpCard: card("4O") } };

test("a trick's end is looked at with its cards and points, and the trump card is gone from its hand", () => {
  const [shown, ...others] = interludes(view({ tricks: [first, trick] }), told(last, won));
  assert.equal(others.length, 0);
  const sueca = shown?.view.sueca as View;
  assert.deepEqual([shownTrick(sueca)?.cards.length, shownTrick(sueca)?.winnerSeat], [4, 3]);
  assert.deepEqual(sueca.cardPoints, [20, 44]);
  assert.equal(sueca.isTrumpHeld, false);
  assert.equal(sueca.hands[3]?.cards.length, 0);
  assert.equal(lastTrick(sueca), first);
});

test("a trick that ends its hand is looked at once, with nothing of the next deal", () => {
  const shown = interludes(view({ tricks: [trick] }), told(last, won, { handEnded: end }, dealt));
  assert.equal(shown.length, 1);
  assert.deepEqual([shown[0]?.view.sueca?.carry, shown[0]?.view.sueca?.cardPoints], [1, [60, 60]]);
  assert.notEqual(shown[0]?.event.sueca?.handEnded, undefined);
});

test("a hand stands suit by suit from weak to strong, the trump last", () => {
  const hand = ["AO", "2P", "AE", "7O", "KC", "QC", "7P", "AP"].map(card);
  assert.deepEqual(handOrder(hand, card("6O")).map(cardCode), [
    "2P",
    "7P",
    "AP",
    "QC",
    "KC",
    "AE",
    "7O",
    "AO",
  ]);
  assert.equal(cardCode(handOrder(hand, card("2P")).at(-1) ?? card("?")), "AP");
});

test("hands that are over are kept with their tricks", () => {
  const [hand] = pastHands(told(dealt, last, won, { handEnded: end }));
  assert.deepEqual(
    hand?.tricks.map(({ cards, winnerSeat }) => [cards.length, winnerSeat]),
    [[1, 3]],
  );
  assert.equal(hand?.end.carry, 1);
});

test("a hand is dealt again from the seat after the dealer, whose last card is the trump", async () => {
  const draws = await Draws.of(fromHex("00".repeat(32)), "match", []);
  const pack = await draws.shuffled("hand-1", PACK);
  const hand = await deal(draws, 1, 2);
  assert.deepEqual(hand.cards[3], pack.slice(0, 10));
  assert.equal(hand.cards[2]?.at(-1), hand.trump);
  assert.equal(new Set(hand.cards.flat()).size, 40);
});
