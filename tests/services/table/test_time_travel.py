"""Time travel: `view(table, version, seat)` equals what that seat saw live, for every version of hundreds of random matches.

Live is what the runtime tells its listener at each commit, and the frame that goes to the viewer; travelled is what is read
back from the log's JSON afterwards. For CARTEADO_TEST_SECONDS (5) from a seed that is printed; a few matches go through the
real gRPC face in test_live.py.
"""

import hashlib
import os
import random
import secrets
import time
import uuid

import pytest

from carteado.table.v1 import view_pb2
from libs.eventlog.committed import replay_commands
from libs.eventlog.memory import MemoryStore, utc_now
from libs.eventlog.runtime import Runtime
from libs.rules.game import Seat
from libs.rules.registry import GAMES
from libs.rules.truco.rule_set import RuleSet
from services.table.commands import (
    LeaveTable,
    MakeMove,
    OpenTable,
    RunOutClock,
    player_actor,
    robot_actor,
)
from services.table.decider import TABLE
from services.table.events import SeatTaken
from services.table.messages import fill_view
from services.table.registry import REGISTRY
from services.table.updates import CommitUpdates, TableCommit
from services.table.view import TableView, Viewer

pytestmark = pytest.mark.timeout(600)

FEWEST = 5
SWITCHES = [
    {},
    {"cover": "off"},
    {"iron_hand": "open"},
    {"raise_window": "anytime"},
    {"eleven_decision": "none"},
]


class Seen:
    """Everything that was told of one match while it was played."""

    def __init__(self, players: int) -> None:
        self.viewers: tuple[Viewer, ...] = (None, *map(Seat, range(players)))
        self.commits: list[TableCommit] = []
        self.frames: dict[tuple[int, Viewer], bytes] = {}
        self.views: dict[tuple[int, Viewer], TableView] = {}

    def committed(self, _: str, commit: TableCommit) -> None:
        """What LiveTables does at each commit, and beside it the views between the events of one command."""
        self.commits.append(commit)
        updates = CommitUpdates(commit, utc_now())
        for viewer in self.viewers:
            self.frames[commit.to_version, viewer] = updates.frame(viewer)[0]
            for step in commit.steps:
                self.views[step.version, viewer] = TABLE.view(step.after, viewer)


async def play(seed: str) -> tuple[Runtime, MemoryStore, str, Seen]:
    """A match by chance: persons and robots, some time-outs, somebody who may leave; seldom it ends abandoned."""
    chance = random.Random(seed)
    preset = chance.choice(sorted(GAMES))
    players = chance.choice(GAMES[preset].player_counts)
    table_id, seen, store = (
        str(uuid.UUID(int=chance.getrandbits(128), version=4)),
        Seen(players),
        MemoryStore(),
    )
    secret = hashlib.sha256(seed.encode()).digest()
    runtime = Runtime(TABLE, REGISTRY, store, secret_for=lambda _: secret, on_committed=seen.committed)
    persons = chance.randint(0, players)
    seats = tuple(
        SeatTaken(f"player-{number}") if number < persons else SeatTaken(robot="random")
        for number in range(players)
    )
    entropy = tuple("ab" * 32 if seat.player_id else "" for seat in seats)
    body = OpenTable(table_id, preset, _switches(preset, chance), seats, entropy)
    answer = await runtime.handle(table_id, body, command_id="opening", actor="service:test")
    number = 0
    while answer.after.ended is None:
        state, number = answer.after, number + 1
        seat = Seat(chance.choice(state.clock.seats))
        taken = state.seats[seat].taken
        actor = player_actor(taken.player_id) if taken.player_id else robot_actor(seat)
        legal = state.game.legal_moves(state.game_state, seat)
        wanted, at = MakeMove(chance.choice(legal).move), None
        if chance.random() < 0.04:
            wanted, at, actor = RunOutClock(state.clock.turn), state.clock.due_at, "clock"
        elif taken.player_id and not state.seats[seat].absent and chance.random() < 0.01:
            wanted = LeaveTable()
        given = await runtime.handle(table_id, wanted, command_id=f"{number}", actor=actor, at=at)
        answer = given if hasattr(given, "after") else answer
    return runtime, store, table_id, seen


def _switches(preset: str, chance: random.Random) -> dict[str, str]:
    rules = GAMES[preset].rule_set({})
    return dict(chance.choice(SWITCHES)) if isinstance(rules, RuleSet) else {}


async def travel(seed: str) -> int:
    """Compares every version of a match for every viewer; gives how many versions there were."""
    runtime, store, table_id, seen = await play(seed)
    stored = await store.read(runtime.stream(table_id), 0, None, 1_000_000)
    steps = [
        step
        for command in replay_commands(TABLE, REGISTRY, stored, TABLE.initial(), 0)
        for step in command.steps
    ]
    assert [step.version for step in steps] == list(range(1, len(stored) + 1))
    for step in steps:
        for viewer in seen.viewers:
            travelled = TABLE.view(step.after, viewer)
            assert travelled == seen.views[step.version, viewer], (seed, step.version, viewer)
            frame = seen.frames.get((step.version, viewer))
            if frame is not None:
                message = view_pb2.TableView()
                fill_view(message, travelled, step.version)
                assert message == view_pb2.TableUpdate.FromString(frame).view, (seed, step.version, viewer)
    # The log itself gives the same at single versions as read in one go.
    for version in {1, len(stored) // 2, len(stored)}:
        loaded = await runtime.load(table_id, at_version=version)
        assert TABLE.view(loaded.state, Seat(1)) == seen.views[version, Seat(1)]
    return len(stored)


async def test_every_version_of_random_matches_is_seen_again_as_it_was_seen_live() -> None:
    seed = os.environ.get("CARTEADO_TEST_SEED") or secrets.token_hex(8)
    print(f"CARTEADO_TEST_SEED={seed}")
    ends_at = time.monotonic() + float(os.environ.get("CARTEADO_TEST_SECONDS", "5"))
    matches = versions = 0
    while matches < FEWEST or time.monotonic() < ends_at:
        versions += await travel(f"{seed}-{matches}")
        matches += 1
    print(f"{matches} matches, {versions} versions, each for every viewer")


@pytest.mark.proof
@pytest.mark.timeout(1800)
async def test_every_version_of_three_hundred_random_matches_is_seen_again() -> None:
    seed = os.environ.get("CARTEADO_TEST_SEED") or secrets.token_hex(8)
    print(f"CARTEADO_TEST_SEED={seed}")
    versions = sum([await travel(f"{seed}-{number}") for number in range(300)])
    print(f"300 matches, {versions} versions, each for every viewer")
