// What a tap, a key or a drop does with the cards that are chosen.

import type { Move } from "../../api/generated/games_buraco.ts";
import type { Card } from "../../cards/cards.ts";
import { addingOf, discardOf, layingOf, takingOf } from "./moves.ts";
import type { BuracoTable } from "./table.ts";

/** Sends a move, if there is one to send. */
export function play({ match }: BuracoTable, move: Move | null): boolean {
  if (move === null) return false;
  match.play({ buraco: move });
  return true;
}

/** A card from the stock. */
export function drawing({ legal }: BuracoTable): Move | null {
  return legal?.drawStock ? { drawStock: { turn: legal.turn } } : null;
}

/** The lixo with the chosen cards, or as it is; null where it is not yet said which cards justify its top. */
export function taking({ legal, buraco }: BuracoTable, chosen: readonly Card[]): Move | null {
  if (!legal?.drawStock || buraco.lixoCount === 0) return null;
  if (legal.takeLixo) return takingOf(legal);
  if (chosen.length > 0) return takingOf(legal, { cards: chosen });
  const [only, ...others] = legal.justifications;
  return only !== undefined && others.length === 0 && !legal.moreJustifications
    ? takingOf(legal, only)
    : null;
}

/** The chosen cards as a new meld. */
export function laying({ legal }: BuracoTable, chosen: readonly Card[]): Move | null {
  return legal !== null && !legal.drawStock && chosen.length >= 3 ? layingOf(legal, chosen) : null;
}

/** The chosen cards onto a meld. */
export function adding({ legal }: BuracoTable, meld: number, chosen: readonly Card[]): Move | null {
  if (legal === null) return null;
  if (!legal.drawStock) return chosen.length > 0 ? addingOf(legal, meld, chosen) : null;
  // The lixo's top card may go there alone.
  const isAlone = legal.justifications.some((way) => way.meld === meld && way.cards.length === 0);
  const isAsked = chosen.length > 0 && !legal.takeLixo;
  return isAlone || isAsked ? addingOf(legal, meld, chosen) : null;
}

/** The one chosen card onto the lixo. */
export function discarding({ legal, buraco }: BuracoTable, chosen: readonly Card[]): Move | null {
  const [card, ...others] = chosen;
  if (legal === null || card === undefined || others.length > 0) return null;
  return discardOf(legal, card, buraco.barred);
}

/** The end of the turn, where nothing may be discarded. */
export function ending({ legal }: BuracoTable): Move | null {
  return legal?.endTurn ? { endTurn: { turn: legal.turn } } : null;
}

/** What letting cards go on a place does: "lixo", "new", or "meld 3". */
export function dropping(table: BuracoTable, cards: readonly Card[], target: string): Move | null {
  const { legal } = table;
  if (legal === null) return null;
  if (target === "lixo") return legal.drawStock ? taking(table, cards) : discarding(table, cards);
  if (target === "new") return legal.drawStock ? taking(table, cards) : laying(table, cards);
  return adding(table, Number(target.replace("meld ", "")), cards);
}
