// Single keys: 1 to 9 a card that fits, C draws, P passes, M calls, N changes the order; after a Jack the suits' letters.

import type { Suit } from "../../cards/cards.ts";
import { useSingleKeys } from "../../play/keys.ts";
import type { Match } from "../../play/match.ts";
import { nameable } from "./actions.tsx";
import { choose, heldCards, type Intent, reorder, send } from "./hand.tsx";
import { type MauMauTable, mauMauTable } from "./table.ts";

const SUITS: Readonly<Record<string, Suit>> = {
  p: "SUIT_PAUS",
  c: "SUIT_COPAS",
  e: "SUIT_ESPADAS",
  o: "SUIT_OUROS",
};

export function useShortcuts(match: Match, intent: Intent): void {
  useSingleKeys(
    (key) => {
      const table = mauMauTable(match);
      if (table === null) return false;
      return intent.jack.value === null ? press(key, table, intent) : pressSuit(key, table, intent);
    },
    [match, intent],
  );
}

function press(key: string, table: MauMauTable, intent: Intent): boolean {
  const { offer, match } = table;
  if (key === "n") {
    reorder();
    return true;
  }
  if (key === "m" && offer.calledPlays.size > 0) {
    intent.isCalling.value = !intent.isCalling.value;
    return true;
  }
  const move = key === "c" ? (offer.draw ?? offer.take) : key === "p" ? offer.pass : undefined;
  if (move !== undefined) {
    send(move, match, intent);
    return true;
  }
  const fitting = heldCards(table, intent).filter(({ plays }) => plays !== undefined);
  const card = fitting[Number(key) - 1];
  if (card !== undefined) choose(card, table, intent);
  return card !== undefined;
}

function pressSuit(key: string, table: MauMauTable, intent: Intent): boolean {
  if (key === "escape") {
    intent.jack.value = null;
    return true;
  }
  const suit = SUITS[key];
  const move = suit === undefined ? undefined : nameable(table, intent).get(suit);
  if (move !== undefined) send(move, table.match, intent);
  return move !== undefined;
}
