// A way to the rules of a preset, in a tab of its own: nobody leaves a table to read them.

import { language, words } from "../i18n/index.ts";
import { gameName } from "./rooms/names.ts";

/** The address of a preset's rules in the language of the page. */
function addressOf(preset: string): string {
  return `/rules/${preset}.${language.value}.html`;
}

/** A link in words, or a book where there is little room. */
export function RulesLink({ preset, isSmall = false }: { preset: string; isSmall?: boolean }) {
  const w = words.value.rules;
  const name = w.of(gameName(preset));
  return (
    <a
      class={isSmall ? "rules-link quiet icon-button" : "rules-link"}
      href={addressOf(preset)}
      target="_blank"
      rel="noopener"
      title={name}
    >
      {isSmall ? <Book /> : w.link}
      <span class="unseen">{isSmall ? name : w.newTab}</span>
    </a>
  );
}

function Book() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d="M2 4h6.5a4 4 0 0 1 3.5 2 4 4 0 0 1 3.5-2H22v15h-6.5a3.5 3.5 0 0 0-3.5 2 3.5 3.5 0 0 0-3.5-2H2zm2 2v11h4.5c1 0 1.8.2 2.5.6V8a2.5 2.5 0 0 0-2.5-2zm9 11.6c.7-.4 1.5-.6 2.5-.6H20V6h-4.5A2.5 2.5 0 0 0 13 8z"
        fill-rule="evenodd"
      />
    </svg>
  );
}
