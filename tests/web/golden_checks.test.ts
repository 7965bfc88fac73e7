// The page's own check finds the recorded matches of Sueca and Dominó fair, and finds a card or a tile that was changed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, type CheckDeals } from "../../web/src/fairness/check.ts";
import { checkDeals as checkDomino } from "../../web/src/games/domino/check.ts";
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
];

function eventsOf(name: string): Logged[] {
  const log = readFileSync(new URL(`../golden/logs/table/${name}.jsonl`, import.meta.url), "utf8");
  return log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Logged);
}

function report(events: readonly Logged[], checkDeals: CheckDeals) {
  const record = { table_id: events[0]?.payload.table_id, seats: [{}, {}, {}, {}], events };
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
