// The two corners of the table: the trump card and where it is, and what each side has taken in this hand.

import { Face } from "../../cards/card.tsx";
import { cardWords } from "../../cards/names.ts";
import type { SuecaTable } from "./table.ts";
import { suecaWords } from "./words/index.ts";

export function TrumpCorner({ sueca, seats }: SuecaTable) {
  const w = suecaWords.value.board;
  if (sueca.trumpCard === undefined) return null;
  const where = !sueca.isTrumpHeld
    ? w.gone
    : seats.isMe(sueca.dealer)
      ? w.heldByMe
      : w.heldBy(seats.name(sueca.dealer));
  return (
    <section class="trump" id="trump" aria-label={w.trump}>
      <span class="label">{w.trump}</span>
      <span
        class={`small-card${sueca.isTrumpHeld ? "" : " gone"}`}
        role="img"
        aria-label={w.trumpIs(cardWords(sueca.trumpCard))}
      >
        <Face card={sueca.trumpCard} isMarked />
      </span>
      <span class="trump-where">{where}</span>
    </section>
  );
}

export function TakenCorner({ sueca, seats }: SuecaTable) {
  const words = suecaWords.value;
  const w = words.board;
  const [ours, theirs] = seats.scoreOf(sueca.cardPoints);
  const won = [0, 1].map(
    (side) => sueca.tricks.filter(({ winnerSeat }) => sideOf(winnerSeat) === side).length,
  );
  const [ourTricks, theirTricks] = seats.scoreOf(won);
  const [us, them] = seats.isMineKnown ? [w.ours, w.theirs] : [seats.sideNames(0), seats.sideNames(1)];
  return (
    <section class="points-taken" id="taken" aria-label={w.taken}>
      <span class="label">{w.taken}</span>
      <Taken side="ours" name={us} points={ours} tricks={ourTricks} />
      <Taken side="theirs" name={them} points={theirs} tricks={theirTricks} />
      {sueca.carry > 0 && (
        <span class="carry" title={w.carryTitle}>
          {w.carry(sueca.carry)}
        </span>
      )}
    </section>
  );
}

function sideOf(seat: number | undefined): number | undefined {
  return seat === undefined ? undefined : seat % 2;
}

interface TakenProps {
  readonly side: "ours" | "theirs";
  readonly name: string;
  readonly points: number;
  readonly tricks: number;
}

function Taken({ side, name, points, tricks }: TakenProps) {
  const words = suecaWords.value;
  const w = words.board;
  return (
    <p class={`taken-side ${side}`}>
      <span class="unseen">{w.takenIs(name, words.points(points), w.tricks(tricks))}</span>
      <span aria-hidden="true">{name}</span>
      <strong aria-hidden="true">{points}</strong>
      <small aria-hidden="true">{w.tricks(tricks)}</small>
    </p>
  );
}
