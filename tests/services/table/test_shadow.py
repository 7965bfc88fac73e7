"""The shadow worker: replays every finished match, tells of a planted difference, and leaves the others their time."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from functools import cached_property

import psycopg
import pytest
import structlog
from prometheus_client import CollectorRegistry

from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Runtime
from libs.rules.game import Seat
from libs.rules.truco.robots import ROBOTS
from services.table.commands import MakeMove, OpenTable, robot_actor
from services.table.decider import TABLE
from services.table.events import SeatTaken
from services.table.registry import REGISTRY
from services.table.secrets import match_secret
from services.table.shadow import AGAIN_EVERY, PATIENCE, Pace, Shadow, ShadowMetrics
from services.table.shadow_match import KINDS
from services.table.shadow_progress import Progress, migrate_shadow

KEY = b"k" * 32
SEATS = (SeatTaken(robot="simple"),) * 4


class Log:
    """A Postgres log of matches between robots, and a shadow worker on it."""

    def __init__(self, conninfo: str, store: PostgresStore) -> None:
        self.conninfo = conninfo
        self.store = store
        self.runtime = Runtime(
            TABLE, REGISTRY, store, secret_for=lambda table_id: match_secret(KEY, table_id)
        )
        self.registry = CollectorRegistry()
        self.metrics = ShadowMetrics(self.registry)

    def shadow(self, pace: Pace | None = None) -> Shadow:
        return Shadow(self.conninfo, self.store, self.metrics, pace=pace or Pace(share=1.0))

    async def play(self, moves: int = 10_000) -> str:
        """A match of so many moves, or to its end; gives its id."""
        table_id = str(uuid.uuid4())
        chance = random.Random(table_id)
        body = OpenTable(table_id, "truco-paulista", {}, SEATS, ("",) * 4)
        answer = await self.runtime.handle(table_id, body, command_id=str(uuid.uuid4()), actor="service:test")
        for _ in range(moves):
            state = answer.after
            if state.ended is not None:
                break
            seat = Seat(state.clock.seats[0])
            move = MakeMove(ROBOTS["simple"](state.game.view(state.game_state, seat), chance))
            command_id = str(uuid.uuid4())
            answer = await self.runtime.handle(table_id, move, command_id=command_id, actor=robot_actor(seat))
        return table_id

    def alter(self, statement: str, *values: object) -> int:
        """Alters the log behind its back, as a damaged disk or a thief would; gives how many rows it altered."""
        with psycopg.connect(self.conninfo, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            return connection.execute(statement, values).rowcount

    async def replay_all(self) -> int:
        """Replays whatever is new; gives how many matches."""
        replayed = 0
        async with Progress.open(self.conninfo) as progress:
            while now := await self.shadow().round(progress):
                replayed += now
        return replayed

    def value(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(name, labels) or 0.0

    def divergences(self) -> dict[str, float]:
        counts = {kind: self.value("carteado_shadow_divergences_total", kind=kind) for kind in KINDS}
        return {kind: count for kind, count in counts.items() if count}


class Watched(Shadow):
    """A worker whose rounds a test can await."""

    async def round(self, progress: Progress, again_every: timedelta = AGAIN_EVERY) -> int:
        replayed = await super().round(progress, again_every)
        async with self.changed:
            self.changed.notify_all()
        return replayed

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30), self.changed:
            await self.changed.wait_for(condition)

    @cached_property
    def changed(self) -> asyncio.Condition:
        return asyncio.Condition()


@pytest.fixture
async def log(database: str) -> AsyncIterator[Log]:
    store = await PostgresStore.open(database)
    await migrate_shadow(database)
    log = Log(database, store)
    yield log
    await log.runtime.close()
    await store.close()


async def test_finished_matches_are_replayed_once_and_running_ones_left_alone(log: Log) -> None:
    for _ in range(3):
        await log.play()
    await log.play(moves=5)
    assert await log.replay_all() == 3
    assert log.value("carteado_shadow_matches_total", **{"pass": "fresh"}) == 3
    assert log.value("carteado_shadow_hashes_total") > 60
    assert log.value("carteado_shadow_behind_seconds") == 0
    assert log.divergences() == {}
    assert await log.replay_all() == 0
    await log.play()
    assert await log.replay_all() == 1


async def test_all_matches_are_replayed_again_after_a_day(log: Log) -> None:
    await log.play()
    await log.replay_all()
    async with Progress.open(log.conninfo) as progress:
        assert await log.shadow().round(progress) == 0
        log.alter("UPDATE shadow_progress SET began_at = began_at - interval '1 day' WHERE pass = 'again'")
        assert await log.shadow().round(progress) == 1
        assert await log.shadow().round(progress) == 0
    assert log.value("carteado_shadow_matches_total", **{"pass": "again"}) == 1


ENDED = "stream = %s AND type = 'table.ended'"
FIRST_PLAY = "stream = %s AND type = 'truco.card_played' AND payload @> '{\"hand\": 1, \"trick\": 1}'"
OTHER_VIRA = "'{vira}', to_jsonb(CASE payload ->> 'vira' WHEN '4P' THEN '5P' ELSE '4P' END)"


def payload(change: str, where: str) -> str:
    return f"UPDATE events SET payload = jsonb_set(payload, {change}) WHERE {where}"


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        (payload(OTHER_VIRA, "stream = %s AND version = 2"), {"draw", "state_hash"}),
        ("UPDATE events SET state_hash = sha256('x') WHERE stream = %s AND version = 3", {"state_hash"}),
        (payload("'{secret}', to_jsonb(repeat('00', 32))", ENDED), {"commitment", "draw"}),
        (payload("'{score}', '[1, 1]'", ENDED), {"result"}),
        ("DELETE FROM events WHERE stream = %s AND version = 5", {"version"}),
        ("UPDATE events SET type = 'truco.unheard_of' WHERE stream = %s AND version = 5", {"unreadable"}),
        ("UPDATE events SET schema_version = 9 WHERE stream = %s AND ends_stream", {"unreadable"}),
        (payload("'{covered}', 'true'", FIRST_PLAY), {"state_hash"}),
        # A card that nobody held, a seat that is not there: no state follows.
        (payload("'{card}', to_jsonb('4P9'::text)", FIRST_PLAY), {"failed"}),
        (payload("'{seat}', '17'", FIRST_PLAY), {"failed"}),
    ],
)
async def test_a_planted_difference_is_counted_and_logged_without_a_card(
    log: Log, statement: str, kinds: set[str]
) -> None:
    honest, altered = await log.play(), await log.play()
    matches = 2
    while log.alter(statement, log.runtime.stream(altered)) == 0:
        # In this match the first hand ended before a card was played.
        altered, matches = await log.play(), matches + 1
    with structlog.testing.capture_logs() as lines:
        assert await log.replay_all() == matches
    assert set(log.divergences()) == kinds
    told = [line for line in lines if line["log_level"] == "error"]
    assert told
    assert {line["table"] for line in told} == {altered} != {honest}
    assert {line["kind"] for line in told} == kinds
    for line in told:
        assert set(line) == {"event", "log_level", "table", "version", "kind", "type"}
        assert line["type"].partition(".")[0] in {"table", "truco"}


async def test_only_one_replica_at_a_time_has_a_partition(log: Log) -> None:
    for _ in range(6):
        await log.play()
    async with Progress.open(log.conninfo) as one, Progress.open(log.conninfo) as other:
        async with one.held(3) as is_ours, other.held(3) as is_theirs:
            assert (is_ours, is_theirs) == (True, False)
        async with other.held(3) as is_theirs:
            assert is_theirs
        both = await asyncio.gather(log.shadow().round(one), log.shadow().round(other))
    assert sum(both) + await log.replay_all() >= 6
    assert log.value("carteado_shadow_matches_total", **{"pass": "fresh"}) >= 6
    assert log.divergences() == {}


async def test_the_worker_goes_on_after_its_connection_was_cut(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.table.shadow.IDLE_S", 0.01)
    shadow = Watched(log.conninfo, log.store, log.metrics, pace=Pace(share=1.0))
    working = asyncio.create_task(shadow.run())
    await log.play()
    await shadow.until(lambda: log.value("carteado_shadow_matches_total", **{"pass": "fresh"}) == 1)
    log.alter(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'carteado shadow'"
    )
    await log.play()
    await shadow.until(lambda: log.value("carteado_shadow_matches_total", **{"pass": "fresh"}) >= 2)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)


async def test_it_takes_a_small_share_of_the_time_in_short_slices(log: Log) -> None:
    """By a clock of the test's own, on which each look at the time says that a millisecond has passed."""
    now = 0.0
    rests: list[float] = []
    worked: list[float] = []
    woke_at = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    async def sleep(seconds: float) -> None:
        nonlocal now, woke_at
        worked.append(now - woke_at)
        rests.append(seconds)
        now += seconds
        woke_at = now
        await asyncio.sleep(0)

    await log.play()
    async with Progress.open(log.conninfo) as progress:
        await log.shadow(Pace(share=0.05, slice_s=0.002, clock=clock, sleep=sleep)).round(progress)
    assert len(rests) > 20
    assert sum(worked) / (sum(worked) + sum(rests)) < 0.1
    assert max(worked) < 0.01


@pytest.mark.parametrize(("busy", "expected"), [(0, 1), (3, 4), (1_000, PATIENCE)])
async def test_it_gives_way_while_others_are_busy_but_not_for_ever(busy: int, expected: int) -> None:
    now, rests = 0.0, 0

    async def sleep(seconds: float) -> None:
        nonlocal now, rests
        rests += 1
        now += seconds + (0.02 if rests <= busy else 0.0)  # Whoever is busy wakes it late.

    pace = Pace(share=0.5, slice_s=0.002, clock=lambda: now, sleep=sleep, cpu=lambda: 0.0)
    pace.begin()
    now += 0.002
    await pace.rest()
    assert rests == expected


async def test_it_gives_way_while_its_process_works_for_others() -> None:
    now, cpu, rests = 0.0, 0.0, 0

    async def sleep(seconds: float) -> None:
        nonlocal now, cpu, rests
        rests += 1
        now += seconds
        cpu += seconds * (0.5 if rests <= 3 else 0.1)

    pace = Pace(share=0.5, slice_s=0.002, clock=lambda: now, sleep=sleep, cpu=lambda: cpu)
    pace.begin()
    now += 0.002
    await pace.rest()
    assert rests == 4


async def test_moves_go_on_while_it_replays(log: Log) -> None:
    """With much to replay, the loop that the players' moves share with it is never held for long."""
    for _ in range(10):
        await log.play()
    loop = asyncio.get_running_loop()
    held: list[float] = []

    async def watch() -> None:
        while True:
            at = loop.time()
            await asyncio.sleep(0)
            held.append(loop.time() - at)

    async with Progress.open(log.conninfo) as progress:
        watching = asyncio.create_task(watch())
        replayed = await log.shadow(Pace(share=0.5)).round(progress)
        watching.cancel()
    assert replayed == 10
    held.sort()
    print(
        f"the loop was held {held[-1] * 1000:.1f} ms at most, {held[len(held) // 2] * 1000:.3f} ms in the middle"
    )
    assert held[int(len(held) * 0.99)] < 0.02
