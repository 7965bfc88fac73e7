// Cacheta's words, in the language of the page.

import { catalogue } from "../../../i18n/language.ts";
import { en } from "./en.ts";
import { type CachetaWords, pt } from "./pt.ts";

export type { CachetaWords };

export const cachetaWords = catalogue<CachetaWords>({ pt, en });
