import { close, leave } from "../app/controller.ts";
import { words } from "../i18n/index.ts";
import type { Match } from "../play/match.ts";
import { Dialog } from "./dialog.tsx";

/** Asks once before a match is left. */
export function LeaveDialog({ match }: { match: Match }) {
  const w = words.value.leave;
  const view = match.view.value;
  const seats = view?.seats ?? [];
  const hasFallen = view !== null && match.game.value?.hasFallen?.(view) === true;
  const people = seats.filter((seat) => seat.kind === "SEAT_KIND_PERSON" && !seat.absent);
  return (
    <Dialog id="confirm-leave" title={w.title} onClose={() => close("leave")}>
      <p>{hasFallen ? w.textFallen : people.length > 1 ? w.textWithOthers : w.text}</p>
      <div class="row">
        <button id="confirm-stay" class="primary" type="button" onClick={() => close("leave")}>
          {w.stay}
        </button>
        <button id="confirm-yes" type="button" onClick={leave}>
          {w.leave}
        </button>
      </div>
    </Dialog>
  );
}
