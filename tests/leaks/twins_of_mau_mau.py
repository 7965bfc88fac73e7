"""Mau Mau's twins: a viewer knows its own cards, what it has drawn, and every card that was played or turned (G-11).

Twins of a card are alike, so a face that the viewer has met is known of in both its copies, and stays where it is.
"""

import random
from typing import Any, Self

import msgspec

from libs.eventlog.store import RecordedEvent
from libs.rules.game import Seat
from libs.rules.mau_mau.cards import FACES, RANK, SUITS
from libs.rules.mau_mau.events import CardPlayed, CardsDealt, CardsDrawn, PenaltyTaken
from libs.rules.mau_mau.moves import Accuse, DrawAndGo, DrawCard, Pass, PlayCard, TakePenalty
from services.table.registry import REGISTRY
from tests.leaks.twins import Log


class MauMauLog(Log):
    """A log of Mau Mau."""

    preset = "mau-mau"
    deals = CardsDealt
    plays = CardPlayed

    @property
    def hand(self) -> int:
        return 1

    def hidden_from(self, viewer: Seat | None) -> set[str]:
        known: set[str] = set()
        for stored in self.stored:
            event: Any = REGISTRY.decode(stored.name, stored.schema_version, stored.payload)
            if isinstance(event, CardsDealt):
                known |= {event.turned, *(() if viewer is None else event.cards[viewer])}
            elif isinstance(event, CardPlayed):
                known.add(event.card)
            elif isinstance(event, CardsDrawn | PenaltyTaken) and event.seat == viewer:
                known |= set(event.cards)
        return set(FACES) - known

    def wishes(self, chance: random.Random) -> list[Any]:
        """Every card with every suit, and whatever else there is, in this turn and in others."""
        turn = self.state.game_state.turn
        cards = chance.sample(FACES, 20)
        moves: list[Any] = [PlayCard(turn, card, suit) for card in cards for suit in (None, *SUITS)]
        moves += [PlayCard(turn, cards[0], None, True), PlayCard(turn + 1, cards[1])]
        for number in (turn - 1, turn, turn + 1):
            moves += [kind(number) for kind in (DrawCard, DrawAndGo, TakePenalty, Pass)]
            moves += [Accuse(number, seat) for seat in (0, 3, 9)]
        return moves

    def twin(self, viewer: Seat | None, chance: random.Random) -> tuple[Self, dict[str, str]]:
        hidden = sorted(self.hidden_from(viewer))
        moved = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))

        def other(cards: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(moved.get(card, card) for card in cards)

        def changed(stored: RecordedEvent) -> RecordedEvent:
            event: Any = REGISTRY.decode(stored.name, stored.schema_version, stored.payload)
            if isinstance(event, CardsDealt):
                hands = tuple(other(hand) for hand in event.cards)
                event = msgspec.structs.replace(event, cards=hands, stock=other(event.stock))
            elif isinstance(event, CardsDrawn | PenaltyTaken):
                event = msgspec.structs.replace(event, cards=other(event.cards))
            else:
                # What was played is known, and only that is ever shuffled.
                return stored
            return msgspec.structs.replace(stored, payload=REGISTRY.encode(event)[2].decode())

        return type(self)(self.table_id, [changed(stored) for stored in self.stored]), moved

    def telling_nothing(self, viewer: Seat | None, chance: random.Random) -> tuple[Seat, Any] | None:
        """A next move of anyone that neither shows the viewer a hidden card nor depends on one."""
        hidden = self.hidden_from(viewer)
        state, clock = self.state.game_state, self.state.clock

        def tells(seat: Seat, move: Any) -> bool:
            match move:
                case PlayCard():
                    # A nine may make the viewer draw.
                    draws = RANK[move.card] == "9" and (seat - state.step) % state.players == viewer
                    return move.card in hidden or draws
                case DrawAndGo():
                    return True
                case DrawCard() | TakePenalty():
                    return seat == viewer
                case _:
                    return False

        found = [
            (seat, legal.move)
            for seat in map(Seat, clock.seats if clock else ())
            for legal in self.state.game.legal_moves(state, seat)
            if not tells(seat, legal.move)
        ]
        return chance.choice(found) if found else None
