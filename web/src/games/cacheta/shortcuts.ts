// Single keys: digits pick a card, arrows move it; D discards, C draws, L takes, B goes out, N, F, P, and O for the order.

import type { Move } from "../../api/generated/games_cacheta.ts";
import { useSingleKeys } from "../../play/keys.ts";
import type { Match } from "../../play/match.ts";
import { discardOf, wayOut } from "./actions.tsx";
import { heldCards, type Holding, pick, reorder, shift } from "./hand.tsx";
import { type CachetaTable, cachetaTable } from "./table.ts";

export function useShortcuts(match: Match, holding: Holding): void {
  useSingleKeys(
    (key) => {
      const table = cachetaTable(match);
      return table !== null && (press(key, table, holding) || arrange(key, table, holding));
    },
    [match, holding],
  );
}

function press(key: string, table: CachetaTable, holding: Holding): boolean {
  const { offer, match } = table;
  const byKey: Readonly<Record<string, Move | undefined>> = {
    c: offer.draw,
    l: offer.take,
    d: discardOf(table, holding),
    b: wayOut(table, holding)?.[0],
    n: offer.naBoa,
    f: offer.jump,
    p: offer.pass,
  };
  const move = byKey[key];
  if (move !== undefined) match.play({ cacheta: move });
  return move !== undefined;
}

function arrange(key: string, table: CachetaTable, holding: Holding): boolean {
  if (key === "arrowleft") return shift(table, holding, -1);
  if (key === "arrowright") return shift(table, holding, 1);
  if (key === "o") {
    reorder(holding);
    return true;
  }
  const card = /^\d$/.test(key) ? heldCards(table, holding)[(Number(key) + 9) % 10] : undefined;
  if (card !== undefined) pick(card, holding);
  return card !== undefined;
}
