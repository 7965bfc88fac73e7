// Sueca's words, in the language of the page.

import { catalogue } from "../../../i18n/language.ts";
import { en } from "./en.ts";
import { pt, type SuecaWords } from "./pt.ts";

export type { SuecaWords };

export const suecaWords = catalogue<SuecaWords>({ pt, en });
