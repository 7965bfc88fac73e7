// From one view to the next: what to show on the way, so that a person sees how a trick and a hand ended.

/**
 * The table as it stood when a trick or a hand ended, from the view before and the events that led there; null when
 * nothing ended.
 */
export function ending(before, events) {
  const ends = events.some((event) => event.truco?.trickEnded || event.truco?.handEnded);
  if (!before?.truco || !ends) return null;
  const view = structuredClone(before);
  const truco = view.truco;
  truco.legalMoves = [];
  truco.pendingRaise = undefined;
  view.clock = undefined;
  for (const event of events) {
    const told = event.truco ?? {};
    if (told.cardPlayed) play(truco, told.cardPlayed);
    if (told.raiseAccepted) truco.value = told.raiseAccepted.value;
    if (told.elevenHandPlayed) truco.value = told.elevenHandPlayed.value;
    if (told.trickEnded) {
      const trick = truco.tricks.at(-1);
      trick.isOver = true;
      trick.winnerSeat = told.trickEnded.winnerSeat;
    }
    if (told.handEnded) truco.score = told.handEnded.score;
    if (told.handDealt) break;
  }
  return view;
}

function play(truco, { trick, seat, card, covered }) {
  if (truco.tricks.length < trick) truco.tricks.push({ leader: seat, cards: [], isOver: false });
  truco.tricks.at(-1).cards.push({ seat, card, covered });
  const hand = truco.hands.find((one) => one.seat === seat);
  if (!hand) return;
  hand.count -= 1;
  const place = card ? hand.cards.findIndex((held) => held.rank === card.rank && held.suit === card.suit) : -1;
  if (place >= 0) {
    hand.cards.splice(place, 1);
    hand.positions.splice(place, 1);
  } else if (hand.cards.length === 0) {
    hand.positions.pop();
  }
}

/** The trick to show: the current one, or the last one until its successor's first card. */
export function shownTrick(truco) {
  const tricks = truco.tricks.filter((trick) => trick.cards.length > 0);
  return tricks.at(-1) ?? null;
}
