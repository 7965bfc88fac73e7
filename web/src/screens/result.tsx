// How the match ended, and what may come next: another one, the check, the way out.

import { useLayoutEffect, useRef } from "preact/hooks";
import { again, open, toWelcome } from "../app/controller.ts";
import { useWork } from "../app/work.ts";
import { words } from "../i18n/index.ts";
import type { Match } from "../play/match.ts";
import { Dialog } from "./dialog.tsx";

export function ResultDialog({ match }: { match: Match }) {
  const w = words.value.result;
  const work = useWork();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  const view = match.view.value;
  const seats = match.seats.value;
  const outcome = view !== null && seats !== null ? match.game.value?.outcome(view, seats) : undefined;
  const reason = view?.result?.reason;
  const wasPlayed = reason === "END_REASON_FINISHED";
  const isWalkover = reason === "END_REASON_WALKOVER";
  return (
    <Dialog id="result" title={(wasPlayed || isWalkover) && outcome ? outcome.title : w.ended}>
      {/* A match that was broken off has no score: none is not nil to nil. */}
      {wasPlayed && (
        <p id="result-score" class="result-score">
          {outcome?.score}
        </p>
      )}
      <p id="result-text">{wasPlayed ? outcome?.text : isWalkover ? w.walkover : w.abandoned}</p>
      <div class="row">
        <button
          id="again"
          class="primary"
          type="button"
          ref={button}
          disabled={work.isBusy.value}
          onClick={() => void work.run(() => again(view))}
        >
          {w.again}
        </button>
        <button id="result-leave" type="button" onClick={() => toWelcome()}>
          {w.leave}
        </button>
      </div>
      <p id="result-error" class="error" role="alert">
        {work.error.value}
      </p>
      <button id="result-check" class="quiet" type="button" onClick={() => open("check")}>
        {w.check}
      </button>
    </Dialog>
  );
}
