// What happened, in words.

import { cardName, rankName } from "./cards.js";

const GESTURES = {
  GESTURE_PISCAR: "piscou",
  GESTURE_SOBRANCELHA: "ergueu a sobrancelha",
  GESTURE_BOCHECHA: "encheu a bochecha",
  GESTURE_LINGUA: "mostrou a língua",
};
const RAISES = { 3: "truco", 6: "seis", 9: "nove", 12: "doze" };
const ORDINALS = ["", "1ª", "2ª", "3ª"];

/** The name of a raise to a value: 3 is "truco". */
export function raiseName(value) {
  return RAISES[value] ?? String(value);
}

/** "1ª", "2ª", "3ª". */
export function ordinal(number) {
  return ORDINALS[number] ?? `${number}ª`;
}

/** "1 ponto", "3 pontos". */
export function points(number) {
  return number === 1 ? "1 ponto" : `${number} pontos`;
}

/**
 * One event of the table as a sentence, or null for what needs no words. `who(seat)` names a seat, `isOurs(side)` tells
 * our side, `score(list)` writes the score from our side.
 */
export function sentence(event, { who, isOurs, score }) {
  if (event.truco) return trucoSentence(event.truco, { who, isOurs, score });
  if (event.playedAutomatically) return `O tempo acabou: a mesa jogou por ${lower(who(event.playedAutomatically.seat))}.`;
  if (event.seatBecameAbsent) {
    const { seat, left } = event.seatBecameAbsent;
    return left ? `${who(seat)} saiu da partida.` : `${who(seat)} não está respondendo: a mesa joga por enquanto.`;
  }
  if (event.seatReturned) return `${who(event.seatReturned.seat)} voltou a jogar.`;
  if (event.clockMoved) return "A plataforma ficou fora do ar por um momento; o tempo foi devolvido.";
  return null;
}

function trucoSentence(event, { who, isOurs, score }) {
  if (event.handDealt) {
    const { hand, vira, dealer, blind } = event.handDealt;
    const start = `${hand}ª mão: ${lower(who(dealer))} deu as cartas. Vira: ${cardName(vira)}.`;
    return blind ? `${start} Mão de ferro, às cegas!` : start;
  }
  if (event.cardPlayed) {
    const { seat, card, covered } = event.cardPlayed;
    return `${who(seat)} jogou ${covered || !card ? "uma carta coberta" : cardName(card)}.`;
  }
  if (event.trickEnded) {
    const { trick, winnerSeat } = event.trickEnded;
    return winnerSeat === undefined ? `${ordinal(trick)} rodada empatada.` : `${who(winnerSeat)} fez a ${ordinal(trick)} rodada.`;
  }
  if (event.raiseCalled) return `${who(event.raiseCalled.seat)} pediu ${raiseName(event.raiseCalled.value)}!`;
  if (event.raiseAccepted) {
    const { seat, value } = event.raiseAccepted;
    return `${who(seat)} aceitou: a mão vale ${value}.`;
  }
  if (event.raiseRefused) {
    const { seat, value } = event.raiseRefused;
    return seat === undefined ? `Ninguém respondeu ao pedido de ${raiseName(value)}.` : `${who(seat)} correu do ${raiseName(value)}.`;
  }
  if (event.elevenHandPlayed) return `Mão de onze: ${lower(who(event.elevenHandPlayed.seat))} decidiu jogar. Vale ${event.elevenHandPlayed.value}.`;
  if (event.elevenHandDeclined) {
    const { seat } = event.elevenHandDeclined;
    return seat === undefined ? "Mão de onze: ninguém respondeu a tempo." : `Mão de onze: ${lower(who(seat))} não quis jogar.`;
  }
  if (event.illegalRaisePunished) {
    const { seat, consequence } = event.illegalRaisePunished;
    const end = consequence === "CONSEQUENCE_LOSES_MATCH" ? "perde a partida" : "os outros ganham 3 pontos";
    return `${who(seat)} pediu aumento onde não podia: ${end}.`;
  }
  if (event.signalSent) return `${who(event.signalSent.seat)} fez um sinal: ${GESTURES[event.signalSent.gesture]}.`;
  if (event.handEnded) {
    const { winnerSide, points: won, score: now } = event.handEnded;
    if (winnerSide === undefined) return "Tudo empatado: ninguém pontua.";
    return `${isOurs(winnerSide) ? "Nós ganhamos" : "Eles ganharam"} a mão: ${points(won)}. ${score(now)}`;
  }
  if (event.matchEnded) return isOurs(event.matchEnded.winnerSide) ? "Fim de jogo: vitória nossa!" : "Fim de jogo: vitória deles.";
  return null;
}

/** What a seat says aloud at this event: [seat, words], or null. */
export function speech(event) {
  const truco = event.truco ?? {};
  if (truco.raiseCalled) return [truco.raiseCalled.seat, `${capital(raiseName(truco.raiseCalled.value))}!`];
  if (truco.raiseAccepted) return [truco.raiseAccepted.seat, "Aceito!"];
  if (truco.raiseRefused?.seat !== undefined) return [truco.raiseRefused.seat, "Corro."];
  if (truco.elevenHandPlayed) return [truco.elevenHandPlayed.seat, "Vamos jogar!"];
  if (truco.elevenHandDeclined?.seat !== undefined) return [truco.elevenHandDeclined.seat, "Essa não."];
  return null;
}

/** The manilha of a view in words. */
export function manilhaName(truco) {
  return rankName(truco.manilha);
}

/** A name inside a sentence: only "Você" changes. */
export function lower(name) {
  return name === "Você" ? "você" : name;
}

/** With a capital first letter. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
