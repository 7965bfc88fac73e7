// The running clock as a bar with its seconds, by the server's time.

import { words } from "../i18n/index.ts";
import type { Match } from "./match.ts";

const URGENT_S = 5;

export function Countdown({ match }: { match: Match }) {
  const clock = match.clock.value;
  const w = words.value.table;
  if (clock === null) return <div class="clock" id="clock" hidden />;
  const seconds = Math.ceil(clock.leftMs / 1000);
  const part = Math.min(1, clock.leftMs / clock.wholeMs);
  return (
    <div
      class={`clock${seconds <= URGENT_S ? " urgent" : ""}`}
      id="clock"
      role="timer"
      aria-label={w.timeLeft}
      aria-live="off"
    >
      <span class="clock-bar" style={{ transform: `scaleX(${part})` }} />
      <span class="clock-text" id="clock-text">
        {w.seconds(seconds)}
      </span>
    </div>
  );
}
