import { cachetaWords } from "./words/index.ts";

/** How Cacheta is played, in short. */
export function Rules() {
  const w = cachetaWords.value;
  return (
    <ul>
      {[...w.rules, w.shortcuts].map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
