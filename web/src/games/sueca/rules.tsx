import { suecaWords } from "./words/index.ts";

/** How Sueca is played, in short. */
export function Rules() {
  const w = suecaWords.value;
  return (
    <ul>
      {[...w.rules, w.shortcuts].map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
