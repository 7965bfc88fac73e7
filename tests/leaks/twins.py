"""Two logs of one table that differ only in cards that a viewer may not know, each behind a table service of its own.

What may be known, and where cards stand in events, is each game's own: `twins_of_truco`, `twins_of_sueca`.
"""

import random
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

import msgspec

from libs.eventlog.committed import replay_commands
from libs.eventlog.decision import next_deadline
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand, NewEvent, RecordedEvent, StreamWrite
from libs.rules.game import Seat
from services.table.commands import MakeMove, OpenTable, player_actor
from services.table.decider import TABLE
from services.table.events import SeatTaken
from services.table.registry import REGISTRY
from services.table.state import TableState
from tests.services.table.conftest import secret_of

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PLAYERS = ("ana", "bia", "caio", "davi")


AnyLog = TypeVar("AnyLog", bound="Log")


class Log:
    """A running match's events, and the state that they come to. A game has a class of its own."""

    preset: str
    deals: type
    """Its event that holds hands, with the fields `hand` and `cards`."""
    plays: type
    """Its event that shows one card, with the fields `hand` and `card`."""

    def __init__(self, table_id: str, stored: Sequence[RecordedEvent]) -> None:
        self.table_id = table_id
        self.stored = stored
        self.commands = replay_commands(TABLE, REGISTRY, stored, TABLE.initial(), 0)

    @property
    def state(self) -> TableState:
        return self.commands[-1].after

    @property
    def version(self) -> int:
        return self.commands[-1].to_version

    @property
    def hand(self) -> int:
        """The number of the running hand."""
        raise NotImplementedError

    def hidden_from(self, viewer: Seat | None) -> set[str]:
        """The cards whose place this viewer was never shown in this hand."""
        raise NotImplementedError

    def wishes(self, chance: random.Random) -> list[Any]:
        """Whatever may be asked for now, and more: what is refused is asked too."""
        raise NotImplementedError

    def telling_nothing(self, viewer: Seat | None, chance: random.Random) -> tuple[Seat, Any] | None:
        """A next move, of anyone, that shows the viewer no hidden card."""
        hidden = self.hidden_from(viewer)
        game, state, clock = self.state.game, self.state.game_state, self.state.clock
        found = [
            (seat, legal.move)
            for seat in map(Seat, clock.seats if clock else ())
            for legal in game.legal_moves(state, seat)
            if not legal.consequence and self.shown(seat, legal.move) not in hidden
        ]
        return chance.choice(found) if found else None

    def shown(self, seat: Seat, move: Any) -> str | None:
        """The card that a move would show to everybody."""
        raise NotImplementedError

    def twin(self, viewer: Seat | None, chance: random.Random) -> tuple[Self, dict[str, str]]:
        """Another log that the viewer cannot tell from this one, and which card stands for which in it."""
        hidden = sorted(self.hidden_from(viewer))
        moved = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))

        def changed(stored: RecordedEvent) -> RecordedEvent:
            event: Any = REGISTRY.decode(stored.name, stored.schema_version, stored.payload)
            if isinstance(event, self.deals) and event.hand == self.hand:
                cards = tuple(tuple(moved.get(card, card) for card in held) for held in event.cards)
                event = msgspec.structs.replace(event, cards=cards)
            elif isinstance(event, self.plays) and event.hand == self.hand:
                event = msgspec.structs.replace(event, card=moved.get(event.card, event.card))
            else:
                return stored
            return msgspec.structs.replace(stored, payload=REGISTRY.encode(event)[2].decode())

        return type(self)(self.table_id, [changed(stored) for stored in self.stored]), moved

    async def into(self, store: Any) -> None:
        """Appends the whole log to a store, command by command, as it was given."""
        place = 0
        for command in self.commands:
            stored = self.stored[place : place + len(command.steps)]
            place += len(stored)
            deadline = next_deadline(TABLE, command.after)
            write = StreamWrite(
                command.stream,
                command.from_version,
                tuple(NewEvent(one.name, one.schema_version, one.payload.encode()) for one in stored),
                None if deadline is None else deadline.due_at,
                stored[-1].state_hash or b"",
            )
            body_hash = stored[0].body_hash or b""
            await store.append(AppendCommand(command.command_id, body_hash, (write,), command.actor))


async def running_match(kind: type[AnyLog], seed: str) -> AnyLog:
    """A match between four persons by chance, stopped somewhere."""
    chance = random.Random(seed)
    while True:
        table_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        store = MemoryStore(lambda: NOW)
        runtime = Runtime(TABLE, REGISTRY, store, secret_for=secret_of, now=lambda: NOW)
        body = OpenTable(table_id, kind.preset, {}, tuple(SeatTaken(player) for player in PLAYERS), ("",) * 4)
        answer = await runtime.handle(table_id, body, command_id="opening", actor="service:test")
        for number in range(chance.choice((0, 1, 2, 3, 5, 8, 13, 40, 90))):
            state = answer.after
            seat = Seat(chance.choice(state.clock.seats))
            legal = [
                one.move for one in state.game.legal_moves(state.game_state, seat) if not one.consequence
            ]
            answer = await runtime.handle(
                table_id,
                MakeMove(chance.choice(legal)),
                command_id=f"move {number}",
                actor=player_actor(PLAYERS[seat]),
            )
            if answer.after.ended is not None:
                break
        if answer.after.ended is None:
            return kind(table_id, await store.read_recorded(runtime.stream(table_id), 0, None, 100_000))
