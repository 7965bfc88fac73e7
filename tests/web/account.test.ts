// What the rooms say of a passport and of days: whatever the browser's zone, and also after a passport's end.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "../../web/src/api/rooms.ts";
import { choose, day } from "../../web/src/i18n/language.ts";
import { accountText } from "../../web/src/screens/rooms/account.ts";

const NOW = Date.parse("2026-12-10T12:00:00Z");

type Status = NonNullable<Account["passport"]>["status"];

function account(status: Status | null, trial_until = "2026-12-01T00:00:00Z"): Account {
  const passport = {
    passport_id: "",
    plan: "vip",
    price_centavos: 1990,
    bought_at: "2026-12-01T02:30:00Z",
    paid_until: "2027-01-01T02:30:00Z",
    valid_until: "2027-01-04T02:30:00Z",
    withdraw_until: "2026-12-08T02:30:00Z",
  };
  return {
    trial_until,
    passport: status === null ? null : { ...passport, status },
    ...{ matches_left: 3, matches_a_day: 3, catalogue: "catalogue-1", plans: [] },
  };
}

choose("pt");

test("b109: a day is São Paulo's, wherever the browser is", () => {
  for (const zone of ["America/Sao_Paulo", "Asia/Tokyo", "UTC", "America/Rio_Branco"]) {
    process.env["TZ"] = zone;
    assert.equal(day("2026-10-01T02:59:59Z"), "30/09/2026");
    assert.equal(day("2026-10-01T03:00:00Z"), "01/10/2026");
  }
});

test("a passport is told with the end of what is paid, or of its grace", () => {
  assert.equal(accountText(account("active"), NOW), "Passaporte até 31/12/2026.");
  assert.equal(accountText(account("cancelled"), NOW), "Passaporte até 31/12/2026.");
  assert.equal(accountText(account("in_grace"), NOW), "Passaporte até 03/01/2027.");
});

test("a passport that was returned or has run out is none", () => {
  assert.equal(accountText(account("ended"), NOW), "Sem Passaporte.");
  assert.equal(
    accountText(account("ended", "2026-12-11T12:00:00Z"), NOW),
    "Período de teste até 11/12/2026.",
  );
  assert.equal(accountText(account(null), NOW), "Sem Passaporte.");
});
