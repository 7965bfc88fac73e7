// One's own tiles, and the end where the chosen one goes.

import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useKeptFocus } from "../../play/focus.ts";
import { choose, type DominoTable, playAt } from "./table.ts";
import { UprightTile } from "./tile.tsx";
import { dominoWords } from "./words/index.ts";

interface HandProps {
  readonly table: DominoTable;
  readonly choice: Signal<string | null>;
}

export function Hand({ table: { match, held, chosen }, choice }: HandProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const w = dominoWords.value.board;
  const isMyTurn = held.some(({ plays }) => plays !== undefined);
  return (
    <div
      class={`hand tiles${isMyTurn ? " choosing" : ""}`}
      id="hand"
      role="group"
      aria-label={w.myTiles}
      tabIndex={-1}
      ref={group}
    >
      {held.map((one) => (
        <button
          key={one.key}
          type="button"
          class={`hand-tile${one === chosen ? " chosen" : ""}`}
          aria-label={w.tile(one.tile.low, one.tile.high)}
          aria-disabled={one.plays === undefined}
          aria-pressed={one === chosen}
          onClick={() => choose(match, choice, one)}
        >
          <UprightTile {...one.tile} />
        </button>
      ))}
    </div>
  );
}

/** Both ends as buttons, while there is one to be chosen. */
export function Ends({ table: { match, domino, chosen }, choice }: HandProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const words = dominoWords.value;
  const w = words.actions;
  const { left, right } = chosen?.plays ?? {};
  return (
    <div class="actions" id="actions" role="group" aria-label={words.board.myMoves} tabIndex={-1} ref={group}>
      {left !== undefined && right !== undefined && (
        <>
          <button
            type="button"
            class="action primary"
            data-key="left"
            onClick={() => playAt(match, choice, left)}
          >
            <span>
              <span aria-hidden="true">← </span>
              {w.left}
            </span>{" "}
            <small>{w.onto(domino.ends?.left ?? 0)}</small>
          </button>
          <button type="button" class="action plain" data-key="cancel" onClick={() => (choice.value = null)}>
            {w.cancel}
          </button>
          <button
            type="button"
            class="action primary"
            data-key="right"
            onClick={() => playAt(match, choice, right)}
          >
            <span>
              {w.right}
              <span aria-hidden="true"> →</span>
            </span>{" "}
            <small>{w.onto(domino.ends?.right ?? 0)}</small>
          </button>
        </>
      )}
    </div>
  );
}
