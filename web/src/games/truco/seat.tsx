// One seat round the table: its cards, who sits there, what they say and have signalled.

import type { HandOfCards } from "../../api/generated/games_truco.ts";
import { Back, Face } from "../../cards/card.tsx";
import { suitName } from "../../cards/cards.ts";
import { cardWords } from "../../cards/names.ts";
import { SuitSign } from "../../cards/chip.tsx";
import { anticlockwise } from "../../play/places.ts";
import { Plate, Speech } from "../../play/plate.tsx";
import { GestureFace } from "./gesture.tsx";
import { signalledSuit } from "./sentences.ts";
import { isManilha, type TrucoTable } from "./table.ts";
import { trucoWords } from "./words/index.ts";

export function Seat({ table, place }: { table: TrucoTable; place: number }) {
  const { match, view, truco, seats } = table;
  const w = trucoWords.value.board;
  const seat = seats.at(place);
  const position = anticlockwise(place, seats.count);
  const isAwaited = view.clock?.seats.includes(seat) === true;
  return (
    <section class={`seat at-${position}${isAwaited ? " awaited" : ""}`} aria-label={seats.name(seat)}>
      {!seats.isMe(seat) && <Held table={table} hand={truco.hands.find((one) => one.seat === seat)} />}
      <Plate match={match} seat={seat} isOurs={seats.isOurs(seat % 2)}>
        {seat === truco.dealer && (
          <span class="tag dealer" title={w.dealerTitle}>
            {w.dealer}
          </span>
        )}
        {truco.foldingSeats.includes(seat) && <span class="tag absent">{w.wantsToFold}</span>}
        <Signalled table={table} seat={seat} />
      </Plate>
      <Speech match={match} seat={seat} />
    </section>
  );
}

function Held({ table, hand }: { table: TrucoTable; hand: HandOfCards | undefined }) {
  if (hand === undefined) return null;
  const w = trucoWords.value.board;
  const label = hand.cards.length > 0 ? hand.cards.map(cardWords).join(", ") : w.cards(hand.count);
  return (
    <span class="held" role="img" aria-label={label}>
      {hand.cards.length > 0
        ? hand.cards.map((card) => (
            <Face key={card.rank + card.suit} card={card} isMarked={isManilha(table.truco, card)} />
          ))
        : Array.from({ length: hand.count }, (_, index) => <Back key={index} />)}
    </span>
  );
}

/** The gestures that this seat made in this hand; with their meaning where it is one's own side's. */
function Signalled({ table, seat }: { table: TrucoTable; seat: number }) {
  const w = trucoWords.value.signals;
  const made = table.truco.signals.filter((signal) => signal.seat === seat);
  return made.map(({ gesture }) => {
    const suit = signalledSuit(table.truco, seat, gesture);
    const name = suit === undefined ? null : suitName(suit);
    return (
      <span
        key={gesture}
        class={`signalled${name === null ? "" : ` suit-${name}`}`}
        title={w.gestures[gesture]}
      >
        <GestureFace gesture={gesture} />
        {name !== null && <SuitSign suit={name} />}
      </span>
    );
  });
}
