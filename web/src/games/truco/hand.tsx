// One's own cards, and what one may do beside playing them.

import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Move } from "../../api/generated/games_truco.ts";
import { Back, Face } from "../../cards/card.tsx";
import type { Card } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { useKeptFocus } from "../../play/focus.ts";
import { capital } from "../../play/sentences.ts";
import { canCover, placeKey } from "./moves.ts";
import { valueBefore } from "./prompt.ts";
import { isManilha, type TrucoTable } from "./table.ts";
import { raiseName, trucoWords } from "./words/index.ts";

interface HandProps {
  readonly table: TrucoTable;
  readonly isCovering: Signal<boolean>;
}

/** One place of one's hand: its card (none in a blind hand), and what playing it now would be. */
export interface HeldCard {
  readonly key: string;
  readonly card: Card | undefined;
  readonly name: string;
  readonly move: Move | undefined;
}

/** One's hand in the order of the deal. */
export function heldCards({ truco, seats, offer }: TrucoTable, isCovering: boolean): readonly HeldCard[] {
  const hand = truco.hands.find((one) => seats.isMe(one.seat));
  const words = trucoWords.value;
  return (hand?.positions ?? []).map((position, index) => {
    const card = hand?.cards[index];
    const key = placeKey(card, position);
    const plays = offer.plays.get(key);
    const plain =
      card === undefined
        ? words.board.blindCard(words.ordinal(index + 1))
        : isManilha(truco, card)
          ? words.board.withManilha(cardWords(card))
          : cardWords(card);
    const name = isCovering ? words.board.playCovered(plain) : plain;
    return { key, card, name, move: isCovering ? plays?.covered : plays?.open };
  });
}

export function Hand({ table, isCovering }: HandProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const { match, truco } = table;
  return (
    <div
      class={`hand${isCovering.value ? " covering" : ""}`}
      id="hand"
      role="group"
      aria-label={trucoWords.value.board.myCards}
      tabIndex={-1}
      ref={group}
    >
      {heldCards(table, isCovering.value).map(({ key, card, name, move }) => (
        <button
          key={key}
          type="button"
          class="hand-card"
          aria-label={name}
          aria-disabled={move === undefined}
          onClick={() => move !== undefined && match.play({ truco: move })}
        >
          {card === undefined ? <Back /> : <Face card={card} isMarked={isManilha(truco, card)} />}
        </button>
      ))}
    </div>
  );
}

/** What may be done beside playing a card, and what is at stake. */
interface Action {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
  readonly stake: string;
  readonly move: Move | undefined;
}

const ELEVEN_HAND = 3;

export function Actions({ table, isCovering }: HandProps) {
  const group = useRef<HTMLDivElement>(null);
  useKeptFocus(group);
  const w = trucoWords.value.actions;
  const { match, truco, offer } = table;
  const asked = truco.pendingRaise?.value ?? 0;
  const raised = offer.raise?.raise.value ?? 0;
  const buttons: readonly Action[] = [
    { key: "accept", kind: "primary", text: w.accept, stake: w.worth(asked), move: offer.accept },
    {
      key: "accept",
      kind: "primary",
      text: w.playEleven,
      stake: w.worth(ELEVEN_HAND),
      move: offer.playEleven,
    },
    {
      key: "raise",
      kind: "raise",
      text: w.raise(capital(raiseName(raised))),
      stake: w.worth(raised),
      move: offer.raise,
    },
    { key: "fold", kind: "plain", text: w.fold, stake: w.given(valueBefore(asked)), move: offer.fold },
    { key: "fold", kind: "plain", text: w.declineEleven, stake: w.given(1), move: offer.declineEleven },
  ];
  return (
    <div
      class="actions"
      id="actions"
      role="group"
      aria-label={trucoWords.value.board.myMoves}
      tabIndex={-1}
      ref={group}
    >
      {buttons.map(
        ({ key, kind, text, stake, move }) =>
          move !== undefined && (
            <button
              key={key}
              type="button"
              class={`action ${kind}`}
              data-key={key}
              onClick={() => match.play({ truco: move })}
            >
              {text} <small>{stake}</small>
            </button>
          ),
      )}
      {canCover(offer) && (
        <button
          key="cover"
          type="button"
          class="action toggle"
          data-key="cover"
          aria-pressed={isCovering.value}
          onClick={() => (isCovering.value = !isCovering.value)}
        >
          {w.cover}
        </button>
      )}
    </div>
  );
}
