// Dominó's words, in the language of the page.

import { catalogue } from "../../../i18n/language.ts";
import { en } from "./en.ts";
import { type DominoWords, pt } from "./pt.ts";

export type { DominoWords };

export const dominoWords = catalogue<DominoWords>({ pt, en });
