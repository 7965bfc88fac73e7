// The two corners of the table: the vira with its manilha, and what the hand is worth.

import { Face } from "../../cards/card.tsx";
import { cardWords, rankMark, rankWord } from "../../cards/names.ts";
import type { TrucoTable } from "./table.ts";
import { raiseName, trucoWords } from "./words/index.ts";

const TRICKS = [0, 1, 2];

export function ViraCorner({ truco }: TrucoTable) {
  const w = trucoWords.value.board;
  if (truco.vira === undefined) return null;
  return (
    <section class="vira" id="vira" aria-label={w.viraAndManilha}>
      <span class="label">{w.vira}</span>
      <span class="small-card" role="img" aria-label={w.viraIs(cardWords(truco.vira))}>
        <Face card={truco.vira} />
      </span>
      <span class="manilha-name" role="img" aria-label={w.manilhaIs(rankWord(truco.manilha))}>
        {w.manilha} <strong>{rankMark(truco.manilha)}</strong>
      </span>
    </section>
  );
}

export function WorthCorner({ truco, seats }: TrucoTable) {
  const words = trucoWords.value;
  const w = words.board;
  const label = truco.ironHand ? w.ironHand : truco.elevenSide === undefined ? w.worth : w.elevenHand;
  const over = truco.tricks.filter((trick) => trick.isOver);
  return (
    <section class="worth" id="worth" aria-label={w.thisHand}>
      <span class="label">{label}</span>
      <strong class={`value value-${truco.value}`}>
        <span aria-hidden="true">{truco.value}</span>
        <span class="unseen">{words.points(truco.value)}</span>
      </strong>
      {truco.pendingRaise && <span class="asked">{w.asked(raiseName(truco.pendingRaise.value))}</span>}
      <ol class="dots" aria-label={w.tricks}>
        {TRICKS.map((index) => {
          const trick = over[index];
          const winner = trick?.winnerSeat;
          const [kind, name] =
            trick === undefined
              ? ["", w.unplayed]
              : winner === undefined
                ? ["tied", w.tied]
                : seats.isOurs(winner % 2)
                  ? ["ours", seats.isMineKnown ? w.ours : seats.sideNames(0)]
                  : ["theirs", seats.isMineKnown ? w.theirs : seats.sideNames(1)];
          return (
            <li key={index} class={`dot ${kind}`}>
              <span class="unseen">{name}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
