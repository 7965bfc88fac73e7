// What Truco's table shows on the way from one view to the next, and what it offers.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, LegalMove, View } from "../../web/src/api/generated/games_truco.ts";
import type { TableView } from "../../web/src/api/generated/table.ts";
import { cardOf } from "../../web/src/cards/cards.ts";
import { canCover, offered, placeKey } from "../../web/src/games/truco/moves.ts";
import { pastHands, wasManilha } from "../../web/src/games/truco/past.ts";
import { interludes, shownTrick } from "../../web/src/games/truco/scene.ts";
import { en } from "../../web/src/games/truco/words/en.ts";

const card = cardOf;

function view(truco: Partial<View>): TableView {
  const hands = [0, 1, 2, 3].map((seat) => ({
    seat,
    count: 1,
    cards: [] as never[],
    positions: [] as never[],
  }));
  return {
    version: 1,
    seats: [],
    truco: { tricks: [], hands, score: [0, 0], legalMoves: [], ...truco },
  } as never;
}

function told(...events: Event[]) {
  return events.map((truco, index) => ({ version: index + 2, truco }));
}

const lastOfFour: Event = { cardPlayed: { hand: 1, trick: 1, seat: 3, card: card("3C"), covered: false } };
const trick = {
  leader: 0,
  isOver: false,
  cards: [
    { seat: 0, card: card("4P"), covered: false },
    { seat: 1, card: card("5P"), covered: false },
    { seat: 2, covered: true },
  ],
};
const won: Event = { trickEnded: { hand: 1, trick: 1, winnerSeat: 3, nextLeader: 3 } };
const handWon: Event = { handEnded: { hand: 1, winnerSide: 1, points: 1, score: [0, 1] } };
const dealt: Event = { handDealt: { hand: 2, dealer: 1, vira: card("4O"), value: 1, blind: false } };

test("a trick's end is looked at with all its cards and its winner", () => {
  const [shown, ...others] = interludes(view({ tricks: [trick] }), told(lastOfFour, won));
  assert.equal(others.length, 0);
  const ended = shownTrick(shown?.view.truco as View);
  assert.deepEqual([ended?.cards.length, ended?.isOver, ended?.winnerSeat], [4, true, 3]);
  assert.equal(shown?.event.truco, won);
});

test("a trick that ends its hand is looked at once, with the new score and nothing of the next deal", () => {
  const shown = interludes(view({ tricks: [trick] }), told(lastOfFour, won, handWon, dealt));
  assert.equal(shown.length, 1);
  assert.deepEqual(shown[0]?.view.truco?.score, [0, 1]);
  assert.equal(shown[0]?.event.truco, handWon);
  assert.equal(shown[0]?.view.clock, undefined);
});

test("an open card goes from its hand by its face, a blind one by the last place", () => {
  const mine = { seat: 3, count: 2, cards: [card("3C"), card("QO")], positions: [0, 2] };
  const [open] = interludes(view({ tricks: [trick], hands: [mine] }), told(lastOfFour, won));
  assert.deepEqual(open?.view.truco?.hands[0], { seat: 3, count: 1, cards: [card("QO")], positions: [2] });
  const blind = { seat: 3, count: 2, cards: [], positions: [0, 2] };
  const [unseen] = interludes(view({ tricks: [trick], hands: [blind] }), told(lastOfFour, won));
  assert.deepEqual(unseen?.view.truco?.hands[0]?.positions, [0]);
});

test("nothing is looked at where nothing ended", () => {
  assert.deepEqual(interludes(view({ tricks: [trick] }), told(lastOfFour)), []);
});

test("a move that loses by rule is not offered", () => {
  const raise = (consequence: LegalMove["consequence"]): LegalMove => ({
    move: { raise: { hand: 1, value: 3 } },
    consequence,
  });
  assert.equal(offered([raise("CONSEQUENCE_LOSES_MATCH")]).raise, undefined);
  assert.equal(offered([raise("CONSEQUENCE_UNSPECIFIED")]).raise?.raise.value, 3);
});

test("open and covered are two ways to play one card", () => {
  const play = (covered: boolean): LegalMove => ({
    move: { playCard: { hand: 1, trick: 1, card: card("7C"), covered } },
    consequence: "CONSEQUENCE_UNSPECIFIED",
  });
  const offer = offered([play(false), play(true)]);
  assert.equal(canCover(offer), true);
  const plays = offer.plays.get(placeKey(card("7C"), 0));
  assert.deepEqual([plays?.open?.playCard?.covered, plays?.covered?.playCard?.covered], [false, true]);
});

test("hands that were played are kept, the newest first, each with its own manilha", () => {
  const hands = pastHands(
    told(lastOfFour, won, handWon, dealt, { handEnded: { hand: 2, points: 0, score: [0, 1] } }),
  );
  assert.deepEqual(
    hands.map(({ hand, winnerSide, points }) => [hand, winnerSide, points]),
    [
      [2, undefined, 0],
      [1, 1, 1],
    ],
  );
  assert.equal(hands[1]?.tricks[0]?.winnerSeat, 3);
  assert.deepEqual([wasManilha(card("4C"), card("3P")), wasManilha(card("QC"), card("7P"))], [true, true]);
  assert.equal(wasManilha(card("JC"), card("7P")), false);
});

test("English counts as English does", () => {
  const names = [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(en.ordinal);
  assert.deepEqual(names, [
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "22nd",
    "101st",
    "111th",
  ]);
});
