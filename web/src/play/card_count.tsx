import { words } from "../i18n/index.ts";

/** How many cards a seat holds, as a small card with a number; the last one stands out. */
export function CardCount({ count }: { readonly count: number }) {
  return (
    <span class={`tag card-count${count === 1 ? " last-card" : ""}`}>
      <span class="card back" aria-hidden="true" />
      <span aria-hidden="true">{count}</span>
      <span class="unseen">{words.value.cards.count(count)}</span>
    </span>
  );
}
