// Shows the check of a finished match: one clear answer, then every deal with what was compared.

import type { ComponentType } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { failureText } from "../api/ask.ts";
import { matchRecord } from "../api/matches.ts";
import { close } from "../app/controller.ts";
import { Face } from "../cards/card.tsx";
import { cardOf } from "../cards/cards.ts";
import { cardWords } from "../cards/names.ts";
import { canCheck } from "../fairness/bytes.ts";
import { check, type Report } from "../fairness/check.ts";
import { type DealReport, isRight, type Point } from "../fairness/report.ts";
import { seenOf } from "../fairness/witness.ts";
import { words } from "../i18n/index.ts";
import type { Match } from "../play/match.ts";
import { mustSession } from "../session/session.ts";
import { Dialog } from "./dialog.tsx";

const MARKS = { ok: "✓", wrong: "✗", unseen: "–" };

export function CheckDialog({ match }: { match: Match }) {
  const w = words.value.check;
  const report = useSignal<Report | null>(null);
  const failure = useSignal<string | null>(null);
  useEffect(() => {
    examine(match).then(
      (found) => (report.value = found),
      (problem: unknown) => (failure.value = w.noRecord(failureText(problem))),
    );
  }, [match]);
  const found = report.value;
  const state = found === null ? "" : found.isFair ? "fair" : "unfair";
  const verdict = found === null ? w.working : found.isFair ? w.fair(found.deals.length) : w.unfair;
  return (
    <Dialog id="check" title={w.title} class={`check ${state}`} onClose={() => close("check")}>
      <p id="check-verdict" class="check-verdict" role="status">
        {canCheck() ? (failure.value ?? verdict) : w.insecure}
      </p>
      {found !== null && <Findings report={found} match={match} />}
      <div class="row">
        <button id="check-close" class="primary" type="button" onClick={() => close("check")}>
          {w.close}
        </button>
      </div>
    </Dialog>
  );
}

async function examine(match: Match): Promise<Report | null> {
  const game = match.game.value;
  const seats = match.seats.value;
  if (game === null || seats === null || !canCheck()) return null;
  const record = await matchRecord(mustSession().token, match.tableId);
  return check(record, seenOf(match.tableId), game.fairness.check, (seat) => seats.who(seat), words.value);
}

function Findings({ report, match }: { report: Report; match: Match }) {
  const w = words.value.check;
  return (
    <>
      <p id="check-note" class="check-note">
        {report.wasWatched ? w.watched : w.unwatched}
      </p>
      <Points id="check-match" points={report.match} />
      <div id="check-hands">
        {report.deals.map((deal) => (
          <Deal key={deal.title} deal={deal} Pieces={match.game.value?.fairness.Pieces ?? Cards} />
        ))}
      </div>
      <details id="check-numbers">
        <summary>{w.numbers}</summary>
        <p>{w.explained}</p>
        <dl>
          <dt>{w.table}</dt>
          <dd>{match.tableId}</dd>
          <dt>{w.commitment}</dt>
          <dd>{report.commitment}</dd>
          <dt>{w.secret}</dt>
          <dd>{report.secret}</dd>
          <dt>{w.entropy}</dt>
          <dd>
            {report.entropy.map((item, seat) => (
              <div key={seat}>
                {match.seats.value?.who(seat)}: {item || w.nothing}
              </div>
            ))}
          </dd>
        </dl>
      </details>
    </>
  );
}

/** Cards by their codes. */
function Cards({ codes }: { readonly codes: readonly string[] }) {
  const cards = codes.map(cardOf);
  return (
    <span class="check-faces" role="img" aria-label={cards.map(cardWords).join(", ")}>
      {cards.map((card, place) => (
        <Face key={place} card={card} />
      ))}
    </span>
  );
}

interface DealProps {
  readonly deal: DealReport;
  readonly Pieces: ComponentType<{ readonly codes: readonly string[] }>;
}

function Deal({ deal, Pieces }: DealProps) {
  const w = words.value.check.states;
  const isFine = isRight(deal.points);
  const state = isFine ? "ok" : "wrong";
  return (
    <details class={`check-hand ${state}`} open={!isFine}>
      <summary>
        <span>{deal.title}</span>
        <span class="check-state">
          {MARKS[state]} {w[state]}
        </span>
      </summary>
      <p>{deal.intro}</p>
      <ul class="check-cards">
        {deal.rows.map(({ name, codes }, index) => (
          <li key={index}>
            <span class="check-name">{name}</span>
            <Pieces codes={codes} />
          </li>
        ))}
      </ul>
      <Points points={deal.points} />
    </details>
  );
}

function Points({ id, points }: { id?: string; points: readonly Point[] }) {
  const w = words.value.check.states;
  return (
    <ul class="check-points" {...(id === undefined ? {} : { id })}>
      {points.map(({ text, state }) => (
        <li key={text} class={state}>
          <span class="check-mark" role="img" aria-label={w[state]}>
            {MARKS[state]}
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}
