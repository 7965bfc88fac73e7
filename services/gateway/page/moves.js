// From legal moves to what is offered, and from there to a command. No rule of the game stands here.

import { cardKey } from "./cards.js";
import { capital, raiseName } from "./words.js";

/**
 * What a person may do now. A move that loses by rule is legal, and not offered.
 *
 * `plays` has, by a card's key or place, `{open, covered}`, each a move or undefined; `buttons` the rest, in order.
 */
export function offered(truco) {
  const plays = new Map();
  const buttons = [];
  for (const { move, consequence } of truco.legalMoves) {
    if (consequence !== "CONSEQUENCE_UNSPECIFIED" || move.signal) continue;
    if (move.playCard) {
      const key = playKey(move.playCard);
      const play = plays.get(key) ?? {};
      play[move.playCard.covered ? "covered" : "open"] = move;
      plays.set(key, play);
    } else {
      buttons.push(button(move, truco));
    }
  }
  return { plays, buttons: buttons.sort((one, other) => one.order - other.order) };
}

/** The key of the card in this place: its face, or its place in a blind hand. */
export function placeKey(card, position) {
  return card ? cardKey(card) : `place ${position}`;
}

function playKey(play) {
  return placeKey(play.card, play.position);
}

function button(move, truco) {
  if (move.acceptRaise) return { key: "accept", text: "Aceitar", kind: "primary", order: 0, move };
  if (move.playElevenHand) return { key: "accept", text: "Jogar a mão (vale 3)", kind: "primary", order: 0, move };
  if (move.raise) {
    const text = truco.pendingRaise ? `Pedir ${raiseName(move.raise.value)}!` : `${capital(raiseName(move.raise.value))}!`;
    return { key: "raise", text, kind: "raise", order: 1, move };
  }
  if (move.fold) return { key: "fold", text: "Correr", kind: "plain", order: 2, move };
  return { key: "fold", text: "Não jogar (1 ponto para eles)", kind: "plain", order: 2, move };
}
