// The language of the page: the player's choice, else the browser's, else Portuguese.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { load, save } from "../session/storage.ts";

export type Language = "pt" | "en";

export const LANGUAGES: readonly Language[] = ["pt", "en"];
export const TAGS: Readonly<Record<Language, string>> = { pt: "pt-BR", en: "en" };

export const language = signal<Language>(initial());

/** The catalogue of the language, as a signal. Both catalogues have the same keys: the compiler sees to it. */
export function catalogue<Catalogue>(
  catalogues: Readonly<Record<Language, Catalogue>>,
): ReadonlySignal<Catalogue> {
  return computed(() => catalogues[language.value]);
}

/** Chooses a language for good. */
export function choose(next: Language): void {
  language.value = next;
  save("language", next);
}

/** A text that the server gave in both languages. */
export function textOf(
  text:
    | { readonly textPt: string; readonly textEn: string }
    | { readonly text_pt: string; readonly text_en: string },
): string {
  if ("textPt" in text) return language.value === "pt" ? text.textPt : text.textEn;
  return language.value === "pt" ? text.text_pt : text.text_en;
}

/** A day, such as 31/12/2026: the platform's days are São Paulo's, wherever the browser is. */
export function day(time: string): string {
  return new Date(time).toLocaleDateString(TAGS[language.value], { timeZone: "America/Sao_Paulo" });
}

/** Names one after the other, as one says them. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(TAGS[language.value]).format(names);
}

function initial(): Language {
  const chosen = load<Language>("language");
  if (chosen !== null && LANGUAGES.includes(chosen)) return chosen;
  const known = (globalThis.navigator?.languages ?? []).map((tag) => tag.slice(0, 2));
  return LANGUAGES.find((one) => one === known.find((tag) => tag === "pt" || tag === "en")) ?? "pt";
}

if (typeof document !== "undefined") {
  effect(() => {
    document.documentElement.lang = TAGS[language.value];
  });
}
