// The page's own shuffle gives the test vectors of docs/fairness.md, which it was written from.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromHex, sha256 } from "../../web/src/fairness/bytes.ts";
import { Draws } from "../../web/src/fairness/draws.ts";
import { deal, meaningsOf, PACK } from "../../web/src/games/truco/check.ts";

const page = readFileSync(new URL("../../docs/fairness.md", import.meta.url), "utf8");
const vectors = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
const secret = fromHex(vectors.secret);
const draws = await Draws.of(secret, vectors.match_id, vectors.entropy.map(fromHex));

test("the commitment is the secret's hash", async () => {
  assert.equal(await sha256(secret), vectors.commitment);
});

test("numbers below a bound are drawn evenly, words above the limit thrown away", async () => {
  for (const { label, below, gives } of vectors.draws) assert.equal(await draws.below(label, below), gives);
});

test("every hand of the vectors is dealt again, to the place", async () => {
  for (const { hand, dealer, shuffled, cards, vira, signal_tables: tables } of vectors.deals) {
    assert.deepEqual(await draws.shuffled(`hand-${hand}`, PACK), shuffled);
    assert.deepEqual(await deal(draws, hand, dealer, 4), { dealer, cards, vira });
    assert.deepEqual(await meaningsOf(draws, hand), tables);
  }
});
