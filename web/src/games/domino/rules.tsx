import { dominoWords } from "./words/index.ts";

/** How Dominó is played, in short. */
export function Rules() {
  const w = dominoWords.value;
  return (
    <ul>
      {[...w.rules, w.shortcuts].map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
