// The family's words, in the language of the page.

import { catalogue } from "../../../i18n/language.ts";
import { en } from "./en.ts";
import { type BuracoWords, pt } from "./pt.ts";

export type { BuracoWords };

export const buracoWords = catalogue<BuracoWords>({ pt, en });
