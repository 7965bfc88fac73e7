"""Mau Mau at the table: a missed turn is one automatic play whatever is drawn in it, and one's time begins anew after a draw."""

from datetime import UTC, datetime, timedelta
from typing import Any

from libs.eventlog.decider import Rejection
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.rules.mau_mau.events import CardsDrawn
from libs.rules.mau_mau.moves import DrawCard
from services.table.commands import CLOCK_ACTOR, MakeMove, OpenTable, RunOutClock, player_actor
from services.table.decider import TABLE
from services.table.events import PlayedAutomatically, SeatTaken
from services.table.registry import REGISTRY

PLAYERS = ("ana", "bia", "caio", "davi")
TABLE_ID = "00000000-0000-4000-8000-000000000023"


class Sitting:
    """A table of four persons and its clock."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 18, tzinfo=UTC)
        self._store = MemoryStore(now=lambda: self.now)
        self._runtime: Runtime[Any, Any, Any] = Runtime(
            TABLE, REGISTRY, self._store, secret_for=lambda _: b"um".ljust(32, b"."), now=lambda: self.now
        )
        self._given = 0
        self.state: Any = None

    async def give(self, body: Any, actor: str) -> list[Any]:
        """The events of a command that must be accepted."""
        self._given += 1
        answer = await self._runtime.handle(TABLE_ID, body, command_id=f"command {self._given}", actor=actor)
        assert not isinstance(answer, Rejection), answer
        self.state = answer.after
        return list(answer.events)

    async def open(self) -> None:
        seats = tuple(SeatTaken(player) for player in PLAYERS)
        await self.give(OpenTable(TABLE_ID, "mau-mau", {}, seats, ("",) * 4), "service:test")

    async def miss(self) -> list[Any]:
        """The awaited seat lets its time run out."""
        self.now = self.state.clock.due_at + timedelta(milliseconds=1)
        return await self.give(RunOutClock(self.state.clock.turn), CLOCK_ACTOR)


async def test_g06_a_missed_turn_is_one_automatic_play_and_the_fourth_makes_absent() -> None:
    table = Sitting()
    await table.open()
    missed, drew = [0] * 4, 0
    while not any(seat.absent for seat in table.state.seats):
        turn = table.state.game_state.turn
        events = await table.miss()
        (played,) = [event for event in events if isinstance(event, PlayedAutomatically)]
        missed[played.seat] += 1
        drew += any(isinstance(event, CardsDrawn) and event.reason == "turn" for event in events)
        assert played.in_a_row == missed[played.seat]
        assert table.state.seats[played.seat].absent == (missed[played.seat] == 4)
        assert table.state.game_state.turn == turn + 1
    assert max(missed) == 4
    assert drew, "some turn was missed by a seat that held no legal card"


async def test_g06_who_draws_has_the_whole_time_anew() -> None:
    table = Sitting()
    await table.open()
    while table.state.game_state.penalty:
        await table.miss()
    clock, turn = table.state.clock, table.state.game_state.turn
    table.now = clock.due_at - timedelta(seconds=1)
    await table.give(MakeMove(DrawCard(turn)), player_actor(PLAYERS[clock.seats[0]]))
    assert table.state.clock.seats == clock.seats
    assert table.state.clock.due_at == table.now + timedelta(seconds=20)
    await table.miss()
    assert table.state.game_state.turn == turn + 1
