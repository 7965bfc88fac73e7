// The platform's words; each game has its own beside its table.

import { en } from "./en.ts";
import { catalogue } from "./language.ts";
import { pt, type Words } from "./pt.ts";

export type { Words };
export { choose, day, type Language, language, LANGUAGES, TAGS, textOf } from "./language.ts";

/** The words in the language of the page. */
export const words = catalogue<Words>({ pt, en });
