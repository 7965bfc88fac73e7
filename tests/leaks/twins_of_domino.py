"""Dominó's twins: a viewer knows its own tiles, what was played, and what each pass says.

A twin has other hidden tiles only where every pass and every turn of the round could have been as they were.
"""

import random
from typing import Any, Self

import msgspec

from libs.eventlog.store import RecordedEvent
from libs.rules.domino.events import RoundDealt, RoundEnded, TilePlayed
from libs.rules.domino.moves import PlayTile
from libs.rules.domino.tiles import NAMES
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from services.table.registry import REGISTRY
from tests.leaks.twins import Log
from tests.libs.rules.domino.situations import hidden_tiles, hidden_twin


class DominoLog(Log):
    """A log of Dominó."""

    preset = "domino"
    deals = RoundDealt
    plays = TilePlayed

    @property
    def hand(self) -> int:
        return int(self.state.game_state.deal.round)

    def hidden_from(self, viewer: Seat | None) -> set[str]:
        return hidden_tiles(self.state.game_state, viewer)

    def wishes(self, chance: random.Random) -> list[Any]:
        """Every tile to either end and to none, now and in other turns and rounds."""
        number, turn = self.hand, self.state.game_state.turn
        moves: list[Any] = [
            PlayTile(number, turn, tile, end) for tile in NAMES for end in ("left", "right", None)
        ]
        other = [(number, turn + 1), (number, turn - 1), (number + 1, 1), (number, 0)]
        return [*moves, *(PlayTile(*place, chance.choice(NAMES), "left") for place in other)]

    def twin(self, viewer: Seat | None, chance: random.Random) -> tuple[Self, dict[str, str]]:
        state, moved = hidden_twin(self.state.game_state, viewer, chance)

        def changed(stored: RecordedEvent) -> RecordedEvent:
            event: Any = REGISTRY.decode(stored.name, stored.schema_version, stored.payload)
            if not isinstance(event, RoundDealt) or event.round != self.hand:
                return stored
            dealt = msgspec.structs.replace(event, tiles=state.deal.tiles)
            return msgspec.structs.replace(stored, payload=REGISTRY.encode(dealt)[2].decode())

        self._twin = type(self)(self.table_id, [changed(stored) for stored in self.stored])
        return self._twin, moved

    def telling_nothing(self, viewer: Seat | None, chance: random.Random) -> tuple[Seat, Any] | None:
        """A tile of the viewer's own after which, in both worlds, the same seats pass and the round goes on."""
        found = []
        for seat, move in self._own_moves(viewer):
            here, there = (self._after(log, seat, move) for log in (self, self._twin))
            if here == there and not any(isinstance(event, RoundEnded) for event in here):
                found.append((seat, move))
        return chance.choice(found) if found else None

    def _own_moves(self, viewer: Seat | None) -> list[tuple[Seat, Any]]:
        state = self.state
        if viewer is None:
            return []
        return [(viewer, legal.move) for legal in state.game.legal_moves(state.game_state, viewer)]

    @staticmethod
    def _after(log: Log, seat: Seat, move: Any) -> Any:
        decision = log.state.game.decide(log.state.game_state, seat, move, Draws(bytes(32), "unused"))
        assert not isinstance(decision, Rejection)
        return decision
