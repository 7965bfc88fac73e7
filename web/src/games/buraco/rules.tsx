import { buracoWords } from "./words/index.ts";

/** How the family is played, in short. */
export function Rules() {
  const w = buracoWords.value;
  return (
    <ul>
      {[...w.rules, w.shortcuts].map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
