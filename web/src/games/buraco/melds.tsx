// The melds of a side, and what they are worth so far.

import type { Meld } from "../../api/generated/games_buraco.ts";
import { type Card, cardKey, isSame } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { Slip } from "../../cards/slip.tsx";
import { adding, play } from "./deeds.ts";
import { fits } from "./moves.ts";
import { CANASTRA, meldWords, sideName } from "./names.ts";
import { type BuracoTable, pointsOnTable } from "./table.ts";
import { buracoWords } from "./words/index.ts";

interface MeldsProps {
  readonly table: BuracoTable;
  readonly side: number;
  readonly chosen: readonly Card[];
  /** The keys of the cards that were laid lately. */
  readonly lately: ReadonlySet<string>;
  /** What a drag is over. */
  readonly over: string;
}

export function Melds({ table, side, chosen, lately, over }: MeldsProps) {
  const { buraco, seats } = table;
  const w = buracoWords.value;
  const isOurs = seats.isOurs(side);
  const isMine = isOurs && seats.isMineKnown;
  const name = sideName(seats, side);
  const has = buraco.sides.find((one) => one.side === side);
  const melds = buraco.melds.filter((meld) => meld.side === side);
  const before = buraco.score[side] ?? 0;
  return (
    <section
      class={`melds ${isOurs ? "ours" : "theirs"}${isMine && over === "new" ? " over" : ""}`}
      id={isOurs ? "melds-ours" : "melds-theirs"}
      aria-label={w.melds.ofSide(name)}
      {...(isMine ? { "data-drop": "new" } : {})}
    >
      <h2 class="melds-name">
        {name} <strong>{w.points(pointsOnTable(buraco, side))}</strong>{" "}
        <small>
          {has !== undefined && has.canastraPoints > 0 && w.melds.parts(has.cardPoints, has.canastraPoints)}
          {before !== 0 && buraco.phase !== "PHASE_OVER" && ` ${w.melds.before(before)}`}
        </small>
        {has !== undefined && has.redThrees.length > 0 && (
          <span
            class="red-threes"
            role="img"
            aria-label={`${w.melds.redThrees}: ${has.redThrees.map(cardWords).join(", ")}`}
          >
            {has.redThrees.map((card) => (
              <Slip key={cardKey(card)} card={card} />
            ))}
          </span>
        )}
      </h2>
      {melds.length === 0 && <p class="dim none">{w.melds.none}</p>}
      <div class="meld-list">
        {melds.map((meld) =>
          isMine ? (
            <OwnMeld
              key={meld.number}
              table={table}
              meld={meld}
              chosen={chosen}
              lately={lately}
              isOver={over === `meld ${meld.number}`}
            />
          ) : (
            <span key={meld.number} class={meldClass(meld)} role="img" aria-label={meldWords(meld)}>
              <MeldFace meld={meld} lately={lately} />
            </span>
          ),
        )}
      </div>
    </section>
  );
}

interface OwnMeldProps {
  readonly table: BuracoTable;
  readonly meld: Meld;
  readonly chosen: readonly Card[];
  readonly lately: ReadonlySet<string>;
  readonly isOver: boolean;
}

/** A tap adds the chosen cards. */
function OwnMeld({ table, meld, chosen, lately, isOver }: OwnMeldProps) {
  const move = adding(table, meld.number, chosen);
  const isFit = move !== null && table.legal !== null && fits(table.legal, meld, chosen);
  const label = meldWords(meld);
  return (
    <button
      type="button"
      class={`${meldClass(meld)}${isFit ? " fit" : ""}${isOver ? " over" : ""}`}
      data-drop={`meld ${meld.number}`}
      aria-label={move === null ? label : buracoWords.value.melds.addTo(label)}
      aria-disabled={move === null}
      onClick={() => play(table, move)}
    >
      <MeldFace meld={meld} lately={lately} />
    </button>
  );
}

function MeldFace({ meld, lately }: { meld: Meld; lately: ReadonlySet<string> }) {
  const w = buracoWords.value.melds;
  const { cards, wilds, isCanastra, isClean, points } = meld;
  return (
    <>
      <span class="meld-cards">
        {cards.map((card) => {
          const isWild = wilds.some((one) => isSame(one, card));
          const isLate = lately.has(cardKey(card));
          return (
            <Slip
              key={cardKey(card)}
              card={card}
              class={`${isWild ? "wild" : ""}${isLate ? " late" : ""}`.trim()}
            />
          );
        })}
      </span>
      <span class="meld-mark" aria-hidden="true">
        {isCanastra
          ? points >= 500
            ? `${w.canastra} ${points}`
            : `${isClean ? w.clean : w.dirty} ${points}`
          : `${cards.length}/${CANASTRA}`}
      </span>
    </>
  );
}

function meldClass({ isCanastra, isClean, points }: Meld): string {
  if (!isCanastra) return "meld";
  return `meld canastra ${points >= 500 ? "great" : isClean ? "clean" : "dirty"}`;
}
