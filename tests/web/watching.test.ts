// What is told to who watches, for whom no side is "us", and to the winner, who is not told of as somebody else.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableEvent, TableView } from "../../web/src/api/generated/table.ts";
import * as buraco from "../../web/src/games/buraco/sentences.ts";
import * as cacheta from "../../web/src/games/cacheta/sentences.ts";
import * as domino from "../../web/src/games/domino/sentences.ts";
import * as sueca from "../../web/src/games/sueca/sentences.ts";
import { choose, type Language } from "../../web/src/i18n/language.ts";
import { Seats } from "../../web/src/play/seats.ts";

type Sentence = typeof sueca.sentence;

const SIDES = ["Nica e Bia", "Zeca e Tonho"] as const;

/** A table of robots, watched, or with one's own seat at it. */
function table(yourSeat?: number): TableView {
  const seats = [0, 1, 2, 3].map((index) => ({
    index,
    kind: "SEAT_KIND_ROBOT",
    playerId: "",
  }));
  return {
    seats,
    ...(yourSeat === undefined ? {} : { yourSeat }),
    buraco: { melds: [] },
  } as never;
}

function told(sentence: Sentence, event: unknown, yourSeat?: number, language: Language = "pt"): string {
  choose(language);
  const view = table(yourSeat);
  return sentence({ version: 1, ...(event as object) } as TableEvent, view, new Seats(view, new Map())) ?? "";
}

test("who watches Sueca reads who won a hand, a bandeira and the match", () => {
  const end = {
    hand: 1,
    winnerSide: 0,
    cardPoints: [78, 42],
    points: 1,
    score: [3, 2],
    carry: 0,
  };
  const hand = { sueca: { handEnded: { ...end, isBandeira: false } } };
  const score = `${SIDES[0]} 3; ${SIDES[1]} 2.`;
  assert.equal(
    told(sueca.sentence, hand),
    `${SIDES[0]} ganharam a mão por 78 a 42: 1 ponto de jogo. ${score}`,
  );
  const all = { sueca: { handEnded: { ...end, isBandeira: true } } };
  assert.equal(told(sueca.sentence, all), `Bandeira! ${SIDES[0]} levaram todas as dez vazas. ${score}`);
  const match = { sueca: { matchEnded: { winnerSide: 1, score: [3, 4] } } };
  assert.equal(told(sueca.sentence, match), `Fim de jogo: vitória de ${SIDES[1]}.`);
  assert.equal(told(sueca.sentence, match, 0), "Fim de jogo: vitória deles.");
});

test("who watches Dominó reads who scored and who won", () => {
  const end = {
    round: 2,
    ending: "ENDING_WENT_OUT",
    seat: 1,
    pips: [5, 0, 3, 0],
    winnerSide: 1,
    points: 8,
  };
  const round = { domino: { roundEnded: { ...end, score: [12, 50] } } };
  assert.ok(
    told(domino.sentence, round).endsWith(`${SIDES[1]} marcaram 8 pontos. ${SIDES[0]} 12; ${SIDES[1]} 50.`),
  );
  const match = { domino: { matchEnded: { winnerSide: 1, score: [12, 50] } } };
  assert.equal(told(domino.sentence, match), `Fim de jogo: vitória de ${SIDES[1]}.`);
});

test("who watches pairs at Buraco reads their names", () => {
  const sides = [{ total: 640 }, { total: -120 }];
  const deal = {
    buraco: { dealEnded: { deal: 1, outSeat: 2, sides, score: [640, -120] } },
  };
  assert.equal(told(buraco.sentence, deal), `Bia bateu! Nesta mão: ${SIDES[0]} 640, ${SIDES[1]} -120.`);
  for (const [side, names] of SIDES.entries()) {
    const match = {
      buraco: { matchEnded: { winners: [side], score: [0, 0] } },
    };
    assert.equal(told(buraco.sentence, match), `Fim de jogo: vitória de ${names}.`);
  }
});

test("at Cacheta a turn, a round and a match of one's own are told as one's own", () => {
  const closed = {
    cacheta: { windowClosed: { round: 1, turn: 3, nextSeat: 2 } },
  };
  const ended = {
    cacheta: {
      roundEnded: { round: 1, winner: 2, lost: 1, points: [], fallenSeats: [] },
    },
  };
  const won = { cacheta: { matchEnded: { winner: 2, points: [] } } };
  const say = (event: unknown, seat: number) => told(cacheta.sentence, event, seat);
  assert.equal(say(closed, 2), "Ninguém bateu com o descarte: sua vez.");
  assert.equal(say(closed, 0), "Ninguém bateu com o descarte: vez de Bia.");
  assert.equal(say(ended, 2), "A rodada é sua: os outros perdem 1 ponto.");
  assert.equal(say(won, 2), "Fim de jogo: a vitória é sua.");
  const english = told(cacheta.sentence, closed, 2, "en");
  assert.equal(english, "Nobody went out with the discard: your turn.");
});
