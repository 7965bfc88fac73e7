// Melds, cards and sides in words.

import type { Meld, MeldShape } from "../../api/generated/games_buraco.ts";
import { type Card, isSame } from "../../cards/cards.ts";
import { cardWords, rankMark, rankWord, suitWord } from "../../cards/names.ts";
import { capital } from "../../play/sentences.ts";
import type { Seats } from "../../play/seats.ts";
import { buracoWords } from "./words/index.ts";

/** So many cards make a canastra. */
export const CANASTRA = 7;

/** Cards in words, one after the other. */
export function cardsWords(cards: readonly Card[]): string {
  return cards.map(cardWords).join(", ");
}

/** What a meld is, such as "Sequência de copas". */
export function meldName({ kind, cards, wilds }: MeldShape | Meld): string {
  const w = buracoWords.value;
  const natural = cards.find((card) => !wilds.some((wild) => isSame(wild, card)));
  if (kind === "MELD_KIND_WILDS" || natural === undefined) return w.melds.wilds;
  return kind === "MELD_KIND_SET"
    ? w.melds.set(w.plurals[natural.rank])
    : w.melds.run(suitWord(natural.suit));
}

/** What a meld is among these: where others are called like it, with the ends of its naturals or how many cards it has. */
export function tellingName(meld: Meld, among: readonly Meld[]): string {
  const name = meldName(meld);
  if (among.filter((one) => meldName(one) === name).length < 2) return name;
  const naturals = meld.cards.filter((card) => !meld.wilds.some((wild) => isSame(wild, card)));
  const [first, last] = [naturals[0], naturals.at(-1)];
  return meld.kind === "MELD_KIND_RUN" && first !== undefined && last !== undefined
    ? `${name}, ${rankMark(first.rank)}–${rankMark(last.rank)}`
    : `${name}, ${buracoWords.value.cards(meld.cards.length)}`;
}

/** The cards of a meld in words: those of a run by their ranks, a wild with its own name. */
export function meldCards({ kind, cards, wilds }: MeldShape | Meld): string {
  const w = buracoWords.value.melds;
  return cards
    .map((card) => {
      if (wilds.some((wild) => isSame(wild, card))) return w.asWild(cardWords(card));
      return kind === "MELD_KIND_RUN" ? rankWord(card.rank) : cardWords(card);
    })
    .join(", ");
}

/** What a canastra is, such as "limpa, vale 200"; empty for what is none yet. */
export function canastraWords({ isCanastra, isClean, points }: Meld): string {
  const w = buracoWords.value.melds;
  return isCanastra ? `${isClean ? w.clean : w.dirty}, ${w.worth(points)}` : "";
}

/** A meld in full, for who does not see it. */
export function meldWords(meld: Meld): string {
  const w = buracoWords.value;
  const missing = CANASTRA - meld.cards.length;
  const rank = meld.isCanastra
    ? `, ${w.melds.canastra} ${canastraWords(meld)}`
    : missing > 0
      ? `, ${w.melds.still(missing)}`
      : "";
  return `${meldName(meld)}, ${w.cards(meld.cards.length)}${rank}: ${meldCards(meld)}`;
}

/** A side's name: us and them of pairs, the players' own where there are two, and for who watches. */
export function sideName(seats: Seats, side: number): string {
  if (!seats.isMineKnown) return seats.sideNames(side);
  if (seats.count === 2) return capital(seats.who(side));
  const w = buracoWords.value;
  return seats.isOurs(side) ? w.us : w.them;
}

/** Both sides from one's own: [own, other]. */
export function sidesFromOurs(seats: Seats): readonly [number, number] {
  return seats.isOurs(0) ? [0, 1] : [1, 0];
}
