"""Commands over several streams, on both stores: all or nothing, whoever races, repeats or dies."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from libs.eventlog.aggregates import COMMAND_ID_REUSED, OUTAGE_ACTOR
from libs.eventlog.decider import Rejection
from libs.eventlog.errors import (
    AppendTimeoutError,
    ContentionError,
    EmptyDecisionError,
    StreamBusyError,
    UnstorableError,
)
from libs.eventlog.liveness import Liveness
from libs.eventlog.memory import MemoryStore
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Limits
from libs.eventlog.store import AppendCommand
from libs.eventlog.streams import partition_of
from libs.eventlog.together import MOST_MEMBERS, CommittedTogether, Member, Together
from tests.libs.eventlog.seating import (
    Claim,
    Expire,
    Leave,
    Moved,
    Sat,
    Seating,
    SeatTaken,
    after_outage,
    decide_seating,
    members,
)
from tests.libs.eventlog.test_postgres import PIDS, WAITS_FOR_A_LOCK, administrator, wait_for_row
from tests.libs.eventlog.test_store_contract import assert_positions_are_contiguous

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
PATIENT = Limits(attempts=100)


def new() -> str:
    return str(uuid4())


async def events_of(store, seating: Seating, body: Claim) -> list[int]:
    """How many events the player and the table have."""
    streams = (seating.players.stream(body.player), seating.tables.stream(body.table))
    return [len(await store.read(stream)) for stream in streams]


async def test_a_command_over_two_categories_is_appended_to_each_stream(store):
    seating = Seating(store, now=lambda: NOON)
    claim = Claim("ana", "t1", 2)
    answer = await seating.give(claim, "an id", correlation_id="c", trace="t")
    assert isinstance(answer, CommittedTogether)
    player, table = members(claim)
    assert answer.commands[player].events == (Sat("t1"),)
    assert answer.commands[table].events == (SeatTaken(2, "ana"),)
    assert answer.commands[table].after.seats == {2: "ana"}
    assert (answer.commands[player].from_version, answer.commands[player].to_version) == (0, 1)
    for stream in (seating.players.stream("ana"), seating.tables.stream("t1")):
        (stored,) = await store.read_recorded(stream)
        assert (stored.command_id, stored.actor, stored.correlation_id, stored.trace) == (
            "an id",
            "ana",
            "c",
            "t",
        )
        assert stored.state_hash is not None
    await assert_positions_are_contiguous(store)


async def test_a_refusal_appends_nothing_to_any_stream(store):
    seating = Seating(store)
    await seating.give(Claim("ana", "t1", 2), new())
    refused = Claim("bia", "t1", 2)
    assert await seating.give(refused, new()) == Rejection("SEAT_TAKEN", {"player": "ana"})
    assert await events_of(store, seating, refused) == [0, 1]


async def test_a_refusal_stands_only_on_the_heads_of_all_streams(store):
    one, other = Seating(store), Seating(store)
    assert await one.give(Leave("ana", "t1"), new()) == Rejection("NOT_SEATED")
    await other.give(Claim("ana", "t1", 0), new())
    # `one` has both streams warm as they were before.
    assert isinstance(await one.give(Leave("ana", "t1"), new()), CommittedTogether)


async def test_a_conflict_on_one_stream_has_all_decided_again(store):
    one, other = Seating(store), Seating(store)
    await one.give(Claim("ana", "t1", 0), new())
    await other.give(Claim("bia", "t1", 1), new())
    answer = await one.give(Claim("caio", "t1", 2), new())
    assert answer.commands[Member("open_table", "t1")].from_version == 2
    assert await other.seats("t1") == {0: "ana", 1: "bia", 2: "caio"}


async def test_the_same_id_again_gets_the_first_outcome_of_every_stream(store):
    first = Seating(store)
    claim = Claim("ana", "t1", 2)
    answer = await first.give(claim, "one")
    await first.give(Claim("bia", "t1", 3), new())
    for seating in (first, Seating(store)):
        again = await seating.give(claim, "one")
        assert again.duplicate
        assert again.commands == answer.commands
    assert await events_of(store, first, claim) == [1, 2]


async def test_the_id_is_looked_up_before_a_refusal_over_several_streams(store):
    seating = Seating(store)
    await seating.give(Claim("ana", "t1", 2), "one")
    await seating.give(Leave("ana", "t1"), "two")
    # Ana is not seated any more: this is the first Leave's echo.
    assert (await Seating(store).give(Leave("ana", "t1"), "two")).duplicate


async def test_the_same_id_with_another_body_or_other_members_is_refused(store):
    seating = Seating(store)
    claim = Claim("ana", "t1", 2)
    await seating.give(claim, "one", body_hash=b"as received")
    reused = Rejection(COMMAND_ID_REUSED)
    assert await seating.give(claim, "one", body_hash=b"other") == reused
    assert await seating.give(Claim("ana", "t2", 2), "one", body_hash=b"as received") == reused
    assert await seating.give(Claim("bia", "t1", 3), "one", body_hash=b"as received") == reused
    assert await events_of(store, seating, Claim("bia", "t2", 0)) == [0, 0]


async def test_the_same_command_on_three_replicas_at_once_is_appended_once(store):
    claim = Claim("ana", "t1", 2)
    replicas = [Seating(store) for _ in range(3)]
    answers = await asyncio.gather(*(replica.give(claim, "one") for replica in replicas for _ in range(3)))
    assert sorted(answer.duplicate for answer in answers) == [False] + [True] * 8
    assert await events_of(store, replicas[0], claim) == [1, 1]


async def test_b122_fifty_players_claim_one_seat_and_one_gets_it(store):
    replicas = [Seating(store, limits=PATIENT) for _ in range(3)]
    answers = await asyncio.gather(
        *(replicas[number % 3].give(Claim(f"p{number}", "t1", 2), new()) for number in range(50))
    )
    won = [answer for answer in answers if isinstance(answer, CommittedTogether)]
    assert len(won) == 1
    assert {answer.code for answer in answers if isinstance(answer, Rejection)} == {"SEAT_TAKEN"}
    seats = await replicas[0].seats("t1")
    assert await asyncio.gather(*(replicas[0].where(f"p{number}") for number in range(50))) == [
        "t1" if seats[2] == f"p{number}" else None for number in range(50)
    ]


async def test_b122_one_player_claims_three_seats_at_once_and_gets_one(store):
    replicas = [Seating(store, limits=PATIENT) for _ in range(3)]
    claims = [Claim("ana", "t1", 0), Claim("ana", "t1", 2), Claim("ana", "t2", 0)]
    answers = await asyncio.gather(
        *(replica.give(claim, new()) for replica, claim in zip(replicas, claims, strict=True))
    )
    assert sum(isinstance(answer, CommittedTogether) for answer in answers) == 1
    taken = [*(await replicas[0].seats("t1")).values(), *(await replicas[0].seats("t2")).values()]
    assert taken == ["ana"]


async def test_overlapping_commands_on_three_replicas_neither_deadlock_nor_part_the_streams(store):
    """Whatever is claimed and left: a player sits where the table says so, and nowhere else."""
    draw = random.Random(7)
    replicas = [Seating(store, limits=PATIENT) for _ in range(3)]
    players, tables = [f"p{number}" for number in range(6)], [f"t{number}" for number in range(3)]

    async def play(replica: Seating) -> int:
        done = 0
        for _ in range(25):
            player, table = draw.choice(players), draw.choice(tables)
            body = Claim(player, table, draw.randrange(4)) if draw.random() < 0.6 else Leave(player, table)
            done += isinstance(await replica.give(body, new()), CommittedTogether)
        return done

    done = sum(await asyncio.gather(*(play(replica) for replica in replicas for _ in range(2))))
    assert done > 20
    fresh = Seating(store)
    seated = {player: table for player in players if (table := await fresh.where(player)) is not None}
    assert seated == {player: table for table in tables for player in (await fresh.seats(table)).values()}
    assert await assert_positions_are_contiguous(store) == 2 * done


async def test_two_commands_that_name_the_same_streams_in_opposite_order_do_not_wait_for_each_other(store):
    seating = Seating(store)
    claim, leave = Claim("ana", "t1", 0), Leave("ana", "t1")
    for _ in range(10):
        async with asyncio.timeout(20):
            forwards = seating.give(claim, new())
            backwards = seating.together.handle(members(leave)[::-1], leave, command_id=new(), actor="ana")
            await asyncio.gather(forwards, backwards)


async def test_a_command_of_one_stream_and_one_of_several_take_turns(store):
    seating = Seating(store, now=lambda: NOON)
    await seating.give(Claim("ana", "t1", 0, patience_s=5), new())
    due = NOON + timedelta(seconds=5)
    alone, both = await asyncio.gather(
        seating.players.handle("ana", Expire(due), command_id=new(), actor="x"),
        seating.give(Leave("ana", "t1"), new()),
    )
    assert isinstance(both, CommittedTogether)
    assert isinstance(alone, Rejection) or alone.version == 2


async def test_listeners_hear_of_each_stream_in_order(store):
    heard: list = []
    seating = Seating(store, on_committed=lambda name, command: heard.append((name, command)))
    other = Seating(store)
    await seating.give(Claim("ana", "t1", 0), new())
    await other.give(Claim("bia", "t1", 1), new())
    await seating.give(Claim("caio", "t1", 2), new())
    spans = [(name, command.from_version, command.to_version) for name, command in heard]
    assert sorted(spans) == [("ana", 0, 1), ("caio", 0, 1), ("t1", 0, 1), ("t1", 1, 2), ("t1", 2, 3)]
    assert [span for span in spans if span[0] == "t1"] == [("t1", 0, 1), ("t1", 1, 2), ("t1", 2, 3)]


async def test_deadlines_are_announced_and_stored_for_each_stream(store):
    seating, due = Seating(store, now=lambda: NOON), NOON + timedelta(seconds=20)
    announced: dict = {}
    seating.players.watch_deadlines(announced.__setitem__)
    seating.tables.watch_deadlines(announced.__setitem__)
    await seating.give(Claim("ana", "t1", 0, patience_s=20), new())
    assert announced == {"ana": due, "t1": due}
    for category in ("player", "open_table"):
        (claim,) = await store.claim_overdue(category, overdue_s=0, limit=10)
        assert claim.due_at == due
    await seating.give(Leave("ana", "t1"), new())
    assert announced == {"ana": None, "t1": None}
    assert await store.claim_overdue("player", overdue_s=-9999, limit=10) == []


async def test_an_outage_moves_the_deadline_of_each_stream_first():
    at = NOON
    store = MemoryStore(lambda: at)
    liveness = Liveness(store)
    seating = Seating(store, now=lambda: at, liveness=liveness, on_outage=after_outage)
    await seating.give(Claim("ana", "t1", 0, patience_s=20), new())
    at += timedelta(seconds=15)
    liveness._beaten_at = -float("inf")
    await seating.give(Leave("ana", "t1"), new())
    for stream in (seating.players.stream("ana"), seating.tables.stream("t1")):
        moved = (await store.read(stream))[1]
        assert (moved.name, moved.actor) == (Moved.__name__, OUTAGE_ACTOR)
        assert "12:00:35" in moved.payload


async def test_text_that_cannot_be_stored_in_one_stream_appends_to_none(store):
    seating = Seating(store, decide=lambda states, command: {member: [Sat("a\0b")] for member in states})
    player = Member("player", "ana")
    with pytest.raises(UnstorableError):
        await seating.together.handle(
            [player, Member("player", "bia")], Claim("", "", 0), command_id=new(), actor="x"
        )
    assert (await seating.players.load("ana")).version == 0


@pytest.mark.parametrize("left_out", [0, 1])
async def test_a_member_without_an_event_is_a_bug_of_the_decision(left_out):
    """What a decision rests on and does not write to could change unseen before the append."""

    def decide(states, command):
        events = dict(decide_seating(states, command))
        del events[members(command.body)[left_out]]
        return events

    store = MemoryStore()
    seating = Seating(store, decide=decide)
    claim = Claim("ana", "t1", 0)
    with pytest.raises(EmptyDecisionError):
        await seating.give(claim, new())
    assert await events_of(store, seating, claim) == [0, 0]


async def test_events_for_somebody_else_are_a_bug_of_the_decision():
    def decide(states, command):
        return {**decide_seating(states, command), Member("player", "eva"): [Sat("t1")]}

    with pytest.raises(EmptyDecisionError):
        await Seating(MemoryStore(), decide=decide).give(Claim("ana", "t1", 0), new())


@pytest.mark.parametrize(
    "chosen",
    [[], [Member("player", str(number)) for number in range(MOST_MEMBERS + 1)], [Member("match", "m")]],
)
async def test_no_member_too_many_and_an_unknown_category_are_refused(chosen):
    seating = Seating(MemoryStore())
    with pytest.raises(ValueError, match=r"members|runtime"):
        await seating.together.handle(chosen, Claim("", "", 0), command_id=new(), actor="x")


def test_runtimes_of_two_stores_cannot_decide_together():
    with pytest.raises(ValueError, match="one store"):
        Together(decide_seating, Seating(MemoryStore()).players, Seating(MemoryStore()).tables)


async def test_a_stream_with_too_many_waiting_frees_the_turns_already_taken():
    seating = Seating(MemoryStore(), limits=Limits(waiting_per_stream=1))
    held = await seating.players.aggregates.take_turn("ana")
    waiting = asyncio.create_task(seating.players.aggregates.take_turn("ana"))
    await asyncio.sleep(0)
    with pytest.raises(StreamBusyError):
        await seating.give(Claim("ana", "t1", 0), new())
    table = seating.tables.aggregates.warm.get("t1")
    assert table is not None
    assert table.is_idle
    held.release()
    (await waiting).release()
    assert isinstance(await seating.give(Claim("ana", "t1", 0), new()), CommittedTogether)


async def test_a_writer_over_several_streams_that_always_loses_gives_up():
    class Overtaken(MemoryStore):
        async def append(self, command: AppendCommand):
            if command.actor == "ana":
                seat = len(self._streams.get(other.tables.stream("t1"), ()))
                await other.give(Claim(new(), "t1", 10 + seat), new())
            return await super().append(command)

    store = Overtaken()
    other = Seating(store)
    with pytest.raises(ContentionError):
        await Seating(store, limits=Limits(attempts=3)).give(Claim("ana", "t1", 0), new())


class HeldUp(MemoryStore):
    """A store in memory whose appends wait for a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.under_way = asyncio.Event(), asyncio.Event()

    async def append(self, command: AppendCommand):
        self.under_way.set()
        await self.gate.wait()
        return await super().append(command)


async def test_a_caller_that_goes_away_holds_all_turns_until_the_outcome_is_known():
    store, heard = HeldUp(), []
    seating = Seating(store, on_committed=lambda name, command: heard.append(name))
    gone = asyncio.create_task(seating.give(Claim("ana", "t1", 0), "one"))
    await store.under_way.wait()
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    next_ones = [
        asyncio.create_task(seating.give(Leave("ana", "t1"), new())),
        asyncio.create_task(seating.give(Claim("bia", "t1", 0), new())),
    ]
    store.gate.set()
    left, _ = await asyncio.gather(*next_ones)
    assert left.commands[Member("player", "ana")].from_version == 1
    assert sorted(heard[:2]) == ["ana", "t1"]


async def test_a_command_over_several_streams_whose_time_runs_out_is_answered_by_its_id():
    store = HeldUp()
    seating = Seating(store)
    claim = Claim("ana", "t1", 0)
    with pytest.raises(AppendTimeoutError):
        await seating.give(claim, "one", timeout_s=0.02)
    store.gate.set()
    assert (await seating.give(claim, "one")).duplicate
    assert await events_of(store, seating, claim) == [1, 1]


def _apart(table: str) -> str:
    """A player in another partition than a table's."""
    return next(name for number in range(99) if partition_of(name := f"p{number}") != partition_of(table))


@pytest.mark.integration
async def test_a_server_that_dies_between_two_partitions_leaves_neither(log_database):
    """The append holds the counter of one partition and waits for the other's when its backend is killed."""
    table = "t1"
    player = _apart(table)
    last = max(partition_of(player), partition_of(table))
    store = await PostgresStore.open(log_database)
    seating, claim = Seating(store), Claim(player, table, 0)
    async with administrator(log_database) as other, administrator(log_database) as third:
        async with other.transaction():
            await other.execute("SELECT FROM partition_counters WHERE partition = %s FOR UPDATE", (last,))
            waiting = asyncio.create_task(seating.give(claim, "one"))
            await wait_for_row(third, WAITS_FOR_A_LOCK)
            assert await events_of(store, seating, claim) == [0, 0]
            await third.execute(f"SELECT pg_terminate_backend(pid) FROM ({PIDS}) AS p")
        assert isinstance(await waiting, CommittedTogether)
    assert store.generation == 1
    assert await events_of(store, seating, claim) == [1, 1]
    assert await assert_positions_are_contiguous(store) == 2
    await store.close()


@pytest.mark.integration
async def test_b122_replicas_on_their_own_connections_seat_nobody_twice(log_database):
    stores = [await PostgresStore.open(log_database) for _ in range(3)]
    replicas = [Seating(store, limits=PATIENT) for store in stores]
    answers = await asyncio.gather(
        *(
            replicas[number % 3].give(Claim(f"p{number % 8}", f"t{number % 5}", number % 4), new())
            for number in range(60)
        )
    )
    won = [answer for answer in answers if isinstance(answer, CommittedTogether)]
    fresh = Seating(stores[0])
    seated = [player for number in range(5) for player in (await fresh.seats(f"t{number}")).values()]
    assert len(seated) == len(set(seated)) == len(won) == 8
    assert await assert_positions_are_contiguous(stores[0]) == 16
    for store in stores:
        await store.close()
