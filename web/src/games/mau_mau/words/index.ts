// Mau Mau's words, in the language of the page.

import { catalogue } from "../../../i18n/language.ts";
import { en } from "./en.ts";
import { type MauMauWords, pt } from "./pt.ts";

export type { MauMauWords };

export const mauMauWords = catalogue<MauMauWords>({ pt, en });
