import { trucoWords } from "./words/index.ts";

/** How Truco is played, in short. */
export function Rules() {
  const w = trucoWords.value;
  return (
    <ul>
      {[...w.rules, w.shortcuts].map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
