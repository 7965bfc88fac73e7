import { words } from "../i18n/index.ts";
import type { Match } from "./match.ts";

/** Says that another window or device plays for this seat, and takes the seat up here. */
export function Elsewhere({ match }: { match: Match }) {
  const w = words.value.table;
  return (
    <div id="elsewhere" class="elsewhere" role="status" hidden={!match.isElsewhere.value}>
      <p>{w.elsewhere}</p>
      <button id="play-here" type="button" onClick={() => match.claim()}>
        {w.playHere}
      </button>
    </div>
  );
}
