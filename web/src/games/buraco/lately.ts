// What came lately, from the events: the cards that came into one's hand in this turn, and those laid in the last one.

import type { Event } from "../../api/generated/games_buraco.ts";
import type { TableEvent } from "../../api/generated/table.ts";
import { type Card, cardKey } from "../../cards/cards.ts";

/** The keys of the cards that came to this seat since the last turn ended. */
export function arrived(events: readonly TableEvent[], seat: number): ReadonlySet<string> {
  const found: Card[] = [];
  for (const event of backwards(events)) {
    if (event.turnEnded || event.dealStarted) break;
    const { stockDrawn, redThreeReplaced, lixoTaken, mortoTaken } = event;
    for (const one of [stockDrawn, redThreeReplaced]) {
      if (one?.seat === seat && one.card !== undefined) found.push(one.card);
    }
    for (const some of [lixoTaken, mortoTaken]) if (some?.seat === seat) found.push(...some.cards);
  }
  return new Set(found.map(cardKey));
}

/** The keys of the cards that went to the table in this turn and the one before it. */
export function laidLately(events: readonly TableEvent[]): ReadonlySet<string> {
  const found: Card[] = [];
  let ended = 0;
  for (const event of backwards(events)) {
    if (event.dealStarted) break;
    if (event.turnEnded) ended += 1;
    if (ended > 1) break;
    if (event.meldLaid) found.push(...(event.meldLaid.shape?.cards ?? []));
    if (event.meldExtended) found.push(...event.meldExtended.added);
  }
  return new Set(found.map(cardKey));
}

function* backwards(events: readonly TableEvent[]): Generator<Event> {
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at]?.buraco;
    if (event !== undefined) yield event;
  }
}
