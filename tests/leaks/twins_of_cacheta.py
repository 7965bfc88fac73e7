"""Cacheta's twins: a viewer knows its own cards, the vira, and every card that lay on the discard pile (G-11)."""

import random
from typing import Any, Self

import msgspec

from libs.eventlog.store import RecordedEvent
from libs.rules.cacheta.cards import CARDS, PACK
from libs.rules.cacheta.events import CardDiscarded, CardDrawn, RoundDealt, StockReshuffled
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.game import Seat
from services.table.registry import REGISTRY
from tests.leaks.twins import Log


class CachetaLog(Log):
    """A log of Cacheta."""

    preset = "cacheta"
    deals = RoundDealt
    plays = CardDiscarded

    @property
    def hand(self) -> int:
        return int(self.state.game_state.round)

    def _round(self) -> list[Any]:
        """The game's events of the running round."""
        events = [REGISTRY.decode(one.name, one.schema_version, one.payload) for one in self.stored]
        return [event for event in events if getattr(event, "round", None) == self.hand]

    def hidden_from(self, viewer: Seat | None) -> set[str]:
        known: set[str] = set()
        for event in self._round():
            if isinstance(event, RoundDealt):
                known = {event.vira, *(() if viewer is None else event.hands[viewer])}
            elif isinstance(event, CardDiscarded) or (isinstance(event, CardDrawn) and event.seat == viewer):
                known.add(event.card)
        return set(CARDS) - known

    def wishes(self, chance: random.Random) -> list[Any]:
        """Every card, every way out and every answer, now and in other turns and rounds."""
        number, turn = self.hand, self.state.game_state.turn
        kinds = (DrawStock, TakeDiscard, JumpQueue, PassJump, GoOut)
        places = [(number, turn), (number, turn + 1), (number, turn - 1), (number + 1, 1), (number - 1, 1)]
        moves: list[Any] = [kind(*place) for place in places for kind in kinds]
        some = chance.sample(PACK, 20)
        moves += [kind(number, turn, card) for card in some for kind in (Discard, GoOut)]
        return [*moves, AnnounceNaBoa(number), AnnounceNaBoa(number + 1)]

    def twin(self, viewer: Seat | None, chance: random.Random) -> tuple[Self, dict[str, str]]:
        hidden = sorted(self.hidden_from(viewer))
        moved = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))

        def other(cards: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(moved.get(card, card) for card in cards)

        def changed(stored: RecordedEvent) -> RecordedEvent:
            event: Any = REGISTRY.decode(stored.name, stored.schema_version, stored.payload)
            if getattr(event, "round", None) != self.hand:
                return stored
            if isinstance(event, RoundDealt):
                hands = tuple(other(hand) for hand in event.hands)
                event = msgspec.structs.replace(event, hands=hands, stock=other(event.stock))
            elif isinstance(event, StockReshuffled):
                event = msgspec.structs.replace(event, stock=other(event.stock))
            elif isinstance(event, CardDrawn):
                event = msgspec.structs.replace(event, card=moved.get(event.card, event.card))
            return msgspec.structs.replace(stored, payload=REGISTRY.encode(event)[2].decode())

        return type(self)(self.table_id, [changed(stored) for stored in self.stored]), moved

    def telling_nothing(self, viewer: Seat | None, chance: random.Random) -> tuple[Seat, Any] | None:
        """A next move of anyone that neither shows the viewer a hidden card nor depends on one."""
        hidden = self.hidden_from(viewer)
        state, clock = self.state.game_state, self.state.clock
        waiting = len(state.may_claim) - len(state.claimed) - len(state.passed)

        def tells(seat: Seat, move: Any) -> bool:
            match move:
                case GoOut():
                    return True
                case Discard():
                    return move.card in hidden
                case DrawStock():
                    return seat == viewer
                case JumpQueue() | PassJump():
                    # The last answer lets the claims be judged, by the claimants' hands.
                    return waiting == 1 and (bool(state.claimed) or isinstance(move, JumpQueue))
                case _:
                    return False

        found = [
            (seat, legal.move)
            for seat in map(Seat, clock.seats if clock else ())
            for legal in self.state.game.legal_moves(state, seat)
            if not tells(seat, legal.move)
        ]
        return chance.choice(found) if found else None
