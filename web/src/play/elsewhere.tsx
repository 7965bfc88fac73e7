import { words } from "../i18n/index.ts";
import type { Match } from "./match.ts";

/** Says that another window or device plays for this seat, or the table itself, and takes the seat up here. */
export function Elsewhere({ match }: { match: Match }) {
  const w = words.value.table;
  const isElsewhere = match.isElsewhere.value;
  return (
    <div id="elsewhere" class="elsewhere" role="status" hidden={!isElsewhere && !match.isAway.value}>
      <p>{isElsewhere ? w.elsewhere : w.away}</p>
      <button id="play-here" type="button" onClick={() => match.claim()}>
        {isElsewhere ? w.playHere : w.comeBack}
      </button>
    </div>
  );
}
