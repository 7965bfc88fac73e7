"""Three releases of one event are "deployed" one after another on one log; neighbours write it at the same time.

The event is a card that is played. Release 1 writes `{card, seat}`, release 2 calls the seat `place`, release 3 lets
several cards be played at once. Each release reads what the next one will write, one release before it is written, and
all that was ever written before.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any
from uuid import uuid4

import msgspec
import psycopg
import pytest

from libs.eventlog.committed import Committed, replay
from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from libs.eventlog.errors import UnknownEventError
from libs.eventlog.inspect import ReplayChecks, verify_log
from libs.eventlog.projection import LogEvent, Projection
from libs.eventlog.projector import Projector, ProjectorLimits
from libs.eventlog.registry import EventRegistry
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import parse_stream, stream_id
from tests.libs.eventlog.waiting import until

STREAM = stream_id("pile", "p1")


class Play(msgspec.Struct, frozen=True):
    """Play a card."""

    card: str
    seat: int


class Played1(msgspec.Struct, frozen=True):
    card: str
    seat: int


class Played2(msgspec.Struct, frozen=True):
    card: str
    place: int


class Played3(msgspec.Struct, frozen=True):
    cards: tuple[str, ...]
    place: int


def seat_to_place(payload: dict[str, Any]) -> dict[str, Any]:
    return {"card": payload["card"], "place": payload["seat"]}


def place_to_seat(payload: dict[str, Any]) -> dict[str, Any]:
    return {"card": payload["card"], "seat": payload["place"]}


def one_to_several(payload: dict[str, Any]) -> dict[str, Any]:
    return {"cards": [payload["card"]], "place": payload["place"]}


def several_to_one(payload: dict[str, Any]) -> dict[str, Any]:
    (card,) = payload["cards"]
    return {"card": card, "place": payload["place"]}


def release(number: int) -> EventRegistry[Any]:
    """The registry as this release has it."""
    events: EventRegistry[Any] = EventRegistry()
    match number:
        case 1:
            events.register("pile.played", Played1, 1, newer={2: place_to_seat})
        case 2:
            events.register("pile.played", Played2, 2, {1: seat_to_place}, newer={3: several_to_one})
        case 3:
            events.register("pile.played", Played3, 3, {1: seat_to_place, 2: one_to_several})
    return events


class Pile(msgspec.Struct, frozen=True):
    """What lies there: cards with the seats that played them, the same in every release."""

    played: tuple[tuple[str, int], ...] = ()


class PileDecider:
    """The decider as a release has it: it makes that release's form of the event."""

    category = "pile"

    def __init__(self, number: int) -> None:
        self._number = number

    def initial(self) -> Pile:
        return Pile()

    def decide(self, state: Pile, command: Command[Play]) -> Sequence[Any] | Rejection:
        card, seat = command.body.card, command.body.seat
        return [{1: Played1(card, seat), 2: Played2(card, seat), 3: Played3((card,), seat)}[self._number]]

    def evolve(self, state: Pile, event: Any) -> Pile:
        match event:
            case Played1(card, seat) | Played2(card, seat):
                return Pile((*state.played, (card, seat)))
            case Played3(cards, seat):
                return Pile((*state.played, *((card, seat) for card in cards)))
        raise AssertionError(event)

    def deadlines(self, state: Pile) -> Sequence[Deadline]:
        return ()

    def is_ended(self, state: Pile) -> bool:
        return False

    def state_hash(self, state: Pile) -> bytes:
        return blake2b(repr(state.played).encode(), digest_size=16).digest()

    def view(self, state: Pile, viewer: object) -> int:
        return len(state.played)

    def observe(self, event: Any, before: Pile, after: Pile, viewer: object) -> int:
        return len(after.played)

    def publish(self, event: Any, before: Pile, after: Pile) -> PublicMessage | None:
        return None


def replica(store: Any, number: int) -> Runtime:
    """A running replica of a release."""
    return Runtime(PileDecider(number), release(number), store)


async def play(runtime: Runtime, card: str, seat: int) -> Pile:
    answer = await runtime.handle("p1", Play(card, seat), command_id=str(uuid4()), actor="ana")
    assert isinstance(answer, Committed)
    after: Pile = answer.after
    return after


async def deploy_all(store: Any) -> Pile:
    """Rolling deploys from release 1 to 3, in which old and new replicas take turns on one stream."""
    one, two, three = (replica(store, number) for number in (1, 2, 3))
    await play(one, "1O", 0)
    for card, runtime in (("2O", two), ("3O", one), ("4O", two), ("5O", one)):
        await play(runtime, card, 1)
    await play(two, "6O", 2)
    for card, runtime in (("7O", three), ("QO", two), ("JO", three)):
        await play(runtime, card, 3)
    return await play(three, "KO", 0)


EXPECTED = Pile(
    tuple((f"{rank}O", seat) for rank, seat in zip("1234567QJK", (0, 1, 1, 1, 1, 2, 3, 3, 3, 0), strict=True))
)


async def test_neighbouring_releases_read_and_write_one_log(store):
    assert await deploy_all(store) == EXPECTED
    stored = await store.read(STREAM)
    assert [event.schema_version for event in stored] == [1, 2, 1, 2, 1, 2, 3, 2, 3, 3]
    # Nothing that was written has been touched by what read it.
    assert msgspec.json.decode(stored[0].payload) == {"card": "1O", "seat": 0}
    assert msgspec.json.decode(stored[1].payload) == {"card": "2O", "place": 1}


async def test_the_newest_release_replays_every_version_from_nothing(store):
    await deploy_all(store)
    decider = PileDecider(3)
    state, version = replay(decider, release(3), await store.read(STREAM), decider.initial(), 0)
    assert (state, version) == (EXPECTED, 10)
    found = await verify_log(store, {"pile": ReplayChecks(decider, release(3))})
    assert (found.findings, found.hashes) == ((), 10)


async def test_a_release_that_is_two_behind_stops_loudly_with_name_and_position(store):
    await deploy_all(store)
    partition = parse_stream(STREAM).partition
    place = (
        f"event 'pile.played' \\(schema version 3\\) at {STREAM} version 7, partition {partition} position 7"
    )
    with pytest.raises(UnknownEventError, match=f"{place}: this release reads up to version 2"):
        await replica(store, 1).handle("p1", Play("AO", 0), command_id="x", actor="ana")
    (finding,) = (await verify_log(store, {"pile": ReplayChecks(PileDecider(1), release(1))})).findings
    assert (finding.partition, finding.position, finding.version) == (partition, 7, 7)
    assert "reads up to version 2" in finding.problem


async def test_an_event_of_nobodys_stops_loudly_and_is_never_skipped(store):
    await deploy_all(store)
    empty: EventRegistry[Any] = EventRegistry()
    with pytest.raises(UnknownEventError, match=r"'pile.played' .* position 1: its type is not registered"):
        await Runtime(PileDecider(3), empty, store).handle("p1", Play("AO", 0), command_id="x", actor="ana")


TABLES = "CREATE TABLE played (place integer GENERATED ALWAYS AS IDENTITY, cards text[], seat integer)"


async def apply(connection: Any, fact: LogEvent[Any]) -> None:
    """A projection knows today's form alone."""
    assert isinstance(fact.event, Played3)
    await connection.execute(
        "INSERT INTO played (cards, seat) VALUES (%s, %s)", (list(fact.event.cards), fact.event.place)
    )


@pytest.mark.integration
async def test_a_projection_sees_todays_form_of_every_version(postgres_store, log_database):
    await deploy_all(postgres_store)
    projection: Projection[Any] = Projection("piles", 1, TABLES, release(3), apply)
    projector = Projector(log_database, projection, limits=ProjectorLimits(page=3, poll_s=0.05))
    await projector.start()

    def rows() -> list[tuple[list[str], int]]:
        with psycopg.connect(log_database) as connection:
            return connection.execute(
                f"SELECT cards, seat FROM {projection.schema}.played ORDER BY place"
            ).fetchall()

    async def all_are_there() -> bool:
        return len(rows()) == 10

    await until(all_are_there)
    await projector.stop()
    assert rows() == [([card], seat) for card, seat in EXPECTED.played]
