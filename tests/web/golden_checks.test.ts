// The page's own check finds the recorded matches of the golden files fair, and finds a card or a tile that was changed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, type CheckDeals } from "../../web/src/fairness/check.ts";
import { checkDeals as checkCacheta } from "../../web/src/games/cacheta/check.ts";
import { checkDeals as checkDomino } from "../../web/src/games/domino/check.ts";
import { checkDeals as checkMauMau } from "../../web/src/games/mau_mau/check.ts";
import { checkDeals as checkSueca } from "../../web/src/games/sueca/check.ts";
import { pt } from "../../web/src/i18n/pt.ts";

interface Logged {
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

const MATCHES: readonly (readonly [string, CheckDeals, string, string, string])[] = [
  ["sueca.seed-17", checkSueca, "sueca.hand_dealt", "cards", "trump_card"],
  ["sueca.seed-41", checkSueca, "sueca.hand_dealt", "cards", "dealer"],
  ["domino.seed-58", checkDomino, "domino.round_dealt", "tiles", "starter"],
  ["domino.seed-8", checkDomino, "domino.round_dealt", "tiles", "starter"],
  ["mau-mau.players-4.seed-2", checkMauMau, "mau_mau.cards_dealt", "cards", "dealer"],
  ["mau-mau.players-8.seed-13", checkMauMau, "mau_mau.cards_dealt", "stock", "turned"],
  ["cacheta.seed-15", checkCacheta, "cacheta.round_dealt", "stock", "vira"],
  ["cacheta.seed-38", checkCacheta, "cacheta.round_dealt", "hands", "starter"],
];

/** What happens to cards after the deal: an event, and where its cards stand. */
const COURSES: readonly (readonly [string, CheckDeals, string, string])[] = [
  ["mau-mau.players-4.seed-2", checkMauMau, "mau_mau.cards_drawn", "cards"],
  ["mau-mau.players-4.seed-2", checkMauMau, "mau_mau.card_played", "card"],
  ["mau-mau.players-4.seed-2", checkMauMau, "mau_mau.pile_shuffled", "order"],
  ["cacheta.seed-15", checkCacheta, "cacheta.card_drawn", "card"],
  ["cacheta.seed-15", checkCacheta, "cacheta.card_discarded", "card"],
  ["cacheta.seed-15", checkCacheta, "cacheta.stock_reshuffled", "stock"],
];

function eventsOf(name: string): Logged[] {
  const log = readFileSync(new URL(`../golden/logs/table/${name}.jsonl`, import.meta.url), "utf8");
  return log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Logged);
}

function report(events: readonly Logged[], checkDeals: CheckDeals) {
  const record = { table_id: events[0]?.payload["table_id"], seats: events[0]?.payload["seats"], events };
  return check(record as never, { hands: {} }, checkDeals, String, pt);
}

for (const [name, checkDeals, dealt, pieces, other] of MATCHES) {
  test(`${name} is fair, and would not be with another deal`, async () => {
    const events = eventsOf(name);
    const fair = await report(events, checkDeals);
    assert.equal(fair.isFair, true);
    assert.equal(fair.deals.length, events.filter(({ type }) => type === dealt).length);
    for (const changed of [pieces, other]) {
      const forged = structuredClone(events);
      const deal = forged.findLast(({ type }) => type === dealt)?.payload ?? {};
      const value = deal[changed];
      deal[changed] = Array.isArray(value)
        ? value.toReversed()
        : typeof value === "number"
          ? (value + 1) % 4
          : "4P";
      assert.equal((await report(forged, checkDeals)).isFair, false, changed);
    }
  });
}

for (const [name, checkDeals, type, field] of COURSES) {
  test(`${name} would not be fair with another ${type}`, async () => {
    const forged = structuredClone(eventsOf(name));
    const payload = forged.find((event) => event.type === type)?.payload ?? {};
    const value = payload[field];
    payload[field] =
      Array.isArray(value) && value.length > 1 ? value.toReversed() : Array.isArray(value) ? ["4P"] : "4Pa";
    assert.equal((await report(forged, checkDeals)).isFair, false);
  });
}
