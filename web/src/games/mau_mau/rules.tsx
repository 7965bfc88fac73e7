import { mauMauWords } from "./words/index.ts";

/** How Mau Mau is played, in short. */
export function Rules() {
  const w = mauMauWords.value;
  return (
    <ul>
      {[...w.rules, w.shortcuts].map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
