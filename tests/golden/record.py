"""Records a golden log: a match between people and robots, with absences, a lost device and an outage on the way.

`python -m tests.golden.record PRESET --seed N [--players N] [--set switch=value]` writes logs/table/PRESET.seed-N.jsonl. The same seed gives the same
match for as long as rules and table are the same; afterwards the recorded file is the only witness. Moves are drawn from the
legal ones; with `--robot NAME` they are that robot's, for a game that ends by chance only after thousands of moves.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from libs.eventlog.decider import Rejection
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import StoredEvent
from libs.rules.game import Seat
from libs.rules.registry import game as game_named
from libs.rules.registry import robots
from services.table.commands import (
    CLOCK_ACTOR,
    ClaimSeat,
    GiveTimeBack,
    LeaveTable,
    MakeMove,
    OpenTable,
    RunOutClock,
    player_actor,
    robot_actor,
)
from services.table.decider import TABLE
from services.table.events import SeatTaken
from services.table.registry import REGISTRY
from tests.golden.files import FOLDER

KEY = b"golden".ljust(32, b".")
BEGAN_AT = datetime(2026, 1, 2, 18, tzinfo=UTC)


class Evening:
    """A match and the chance and the clock that it is played by."""

    def __init__(
        self,
        preset: str,
        seed: int,
        switches: dict[str, str] | None = None,
        players: int | None = None,
        robot: str | None = None,
    ) -> None:
        self.robot = None if robot is None else robots(preset)[robot]
        self.count = players or max(game_named(preset).player_counts)
        self.chance = random.Random(f"{preset} {seed}")
        self.now = BEGAN_AT
        self.preset = preset
        self.switches = switches or {}
        self.table_id = self.uuid()
        self.store = MemoryStore(now=lambda: self.now)
        self.runtime: Runtime[Any, Any, Any] = Runtime(
            TABLE, REGISTRY, self.store, secret_for=lambda _: KEY, now=lambda: self.now
        )
        self.state: Any = None

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    async def give(self, body: Any, actor: str) -> None:
        answer = await self.runtime.handle(self.table_id, body, command_id=self.uuid(), actor=actor)
        if not isinstance(answer, Rejection):
            self.state = answer.after

    async def play(self) -> list[StoredEvent]:
        count = self.count
        persons = {seat: self.uuid() for seat in range(0, count, 2)}
        seats = tuple(
            SeatTaken(player_id=persons[seat]) if seat in persons else SeatTaken(robot="simple")
            for seat in range(count)
        )
        entropy = tuple(
            f"{self.chance.getrandbits(256):064x}" if seat in persons else "" for seat in range(count)
        )
        await self.give(
            OpenTable(self.table_id, self.preset, self.switches, seats, entropy), "service:matchmaking"
        )
        while self.state.ended is None:
            await self.step(persons)
        await self.runtime.close()
        return list(await self.store.read(self.runtime.stream(self.table_id)))

    async def step(self, persons: dict[int, str]) -> None:
        """One thing that happens: mostly a move of whoever is awaited, now and then something else."""
        state, clock = self.state, self.state.clock
        seat = Seat(self.chance.choice(clock.seats if self.robot is None else self.awaited()))
        actor = player_actor(persons[seat]) if seat in persons else robot_actor(seat)
        moves = state.game.legal_moves(state.game_state, seat)
        what = self.chance.random()
        if what < 0.03 and seat in persons:
            await self.give(ClaimSeat(f"device-{self.chance.randrange(3)}"), actor)
        elif what < 0.035 and seat in persons:
            await self.give(LeaveTable(), actor)
        elif what < 0.05:
            lost = timedelta(seconds=self.chance.randrange(4, 40))
            self.now += lost
            await self.give(GiveTimeBack(self.now - lost, self.now), CLOCK_ACTOR)
        elif (what < 0.17 and seat in persons) or not moves:
            self.now = max(self.now, clock.due_at) + timedelta(milliseconds=self.chance.randrange(1, 90))
            await self.give(RunOutClock(clock.turn), CLOCK_ACTOR)
        else:
            self.now += timedelta(milliseconds=self.chance.randrange(300, 1_900))
            if self.robot is None:
                move = self.chance.choice(moves).move
            else:
                move = self.robot(state.game.view(state.game_state, seat), self.chance)
            await self.give(MakeMove(move, claim=self.state.seats[seat].claim), actor)

    def awaited(self) -> Sequence[Seat]:
        """Who has still to act: of those whom the clock began for, some may have answered."""
        awaited = self.state.game.awaited(self.state.game_state)
        assert awaited is not None
        seats: Sequence[Seat] = awaited.seats
        return seats


def line(event: StoredEvent) -> bytes:
    """An event as a line of a golden log."""
    return msgspec.json.encode(
        {
            "stream": event.stream,
            "version": event.version,
            "type": event.name,
            "schema_version": event.schema_version,
            "payload": msgspec.Raw(
                event.payload.encode() if isinstance(event.payload, str) else event.payload
            ),
            "command_id": event.command_id,
            "actor": event.actor,
            "state_hash": None if event.state_hash is None else event.state_hash.hex(),
            "recorded_at": event.recorded_at,
        }
    )


def main() -> None:
    """Record a match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="switch=value")
    parser.add_argument("--players", type=int)
    parser.add_argument("--robot")
    given = parser.parse_args()
    switches = dict(pair.split("=", 1) for pair in given.set)
    events = asyncio.run(Evening(given.preset, given.seed, switches, given.players, given.robot).play())
    players = [] if given.players is None else [f"players-{given.players}"]
    name = ".".join([given.preset, *players, f"seed-{given.seed}", *given.set])
    target = FOLDER / "logs" / "table" / f"{name}.jsonl"
    if target.exists():
        parser.error(f"{target} is there: a golden log is never written again")
    target.write_bytes(b"".join(line(event) + b"\n" for event in events))
    print(f"{target}: {len(events)} events of {len({event.name for event in events})} types")


if __name__ == "__main__":
    main()
