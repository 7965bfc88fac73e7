// Truco's words, in the language of the page.

import { catalogue } from "../../../i18n/language.ts";
import { en } from "./en.ts";
import { pt, type TrucoWords } from "./pt.ts";

export type { TrucoWords };

export const trucoWords = catalogue<TrucoWords>({ pt, en });

/** The name of a raise to a value: 3 is "truco". */
export function raiseName(value: number): string {
  return trucoWords.value.raises[value] ?? String(value);
}
