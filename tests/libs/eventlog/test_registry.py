from __future__ import annotations

import msgspec
import pytest

from libs.eventlog.errors import RegistryError, UnknownEventError, UnstorableError
from libs.eventlog.registry import EventRegistry


class Played(msgspec.Struct, frozen=True):
    card: str
    seat: int


class PlayedV2(msgspec.Struct, frozen=True):
    card: str
    place: int


class PlayedV3(msgspec.Struct, frozen=True):
    cards: tuple[str, ...]
    place: int


def rename(payload: dict) -> dict:
    return {"card": payload["card"], "place": payload["seat"]}


def several(payload: dict) -> dict:
    return {"cards": [payload["card"]], "place": payload["place"]}


def deployed(version: int) -> EventRegistry:
    """The registry as each of three releases has it."""
    events: EventRegistry = EventRegistry()
    match version:
        case 1:
            events.register("Played", Played)
        case 2:
            events.register("Played", PlayedV2, 2, {1: rename})
        case 3:
            events.register("Played", PlayedV3, 3, {1: rename, 2: several})
    return events


def test_an_event_is_stored_under_its_registered_name():
    name, schema_version, payload = deployed(1).encode(Played("4C", 2))
    assert (name, schema_version, payload) == ("Played", 1, b'{"card":"4C","seat":2}')
    assert deployed(1).decode(name, schema_version, payload) == Played("4C", 2)


def test_three_releases_read_what_the_first_wrote():
    written = deployed(1).encode(Played("4C", 2))
    assert deployed(2).decode(*written) == PlayedV2("4C", 2)
    assert deployed(3).decode(*written) == PlayedV3(("4C",), 2)


def test_the_third_release_reads_what_the_second_wrote():
    written = deployed(2).encode(PlayedV2("4C", 2))
    assert written[1] == 2
    assert deployed(3).decode(*written) == PlayedV3(("4C",), 2)


def test_a_new_version_is_readable_one_release_before_it_is_written():
    events: EventRegistry = EventRegistry()
    events.register(
        "Played", Played, newer={2: lambda payload: {"card": payload["card"], "seat": payload["place"]}}
    )
    assert events.decode(*deployed(2).encode(PlayedV2("4C", 2))) == Played("4C", 2)
    assert events.encode(Played("4C", 2))[1] == 1


def test_a_newer_version_that_is_not_announced_stops_loudly():
    with pytest.raises(UnknownEventError, match=r"'Played' \(schema version 3\).*reads up to version 2"):
        deployed(2).decode(*deployed(3).encode(PlayedV3(("4C",), 2)))


def test_an_unknown_type_stops_loudly_with_its_name_and_position():
    with pytest.raises(UnknownEventError) as caught:
        deployed(1).decode("Gone", 1, b"{}", stream="table-13-t1", version=7, partition=13, position=99)
    error = caught.value
    assert (error.name, error.stream, error.version, error.partition, error.position) == (
        "Gone",
        "table-13-t1",
        7,
        13,
        99,
    )
    assert "'Gone'" in str(error)
    assert "partition 13 position 99" in str(error)


@pytest.mark.parametrize("payload", [b"{}", b"[]", b"{", b'{"card":1,"seat":2}'])
def test_a_payload_that_does_not_fit_stops_loudly(payload):
    with pytest.raises(UnknownEventError, match="does not fit"):
        deployed(1).decode("Played", 1, payload)


def test_an_old_payload_that_its_upcaster_does_not_expect_stops_loudly():
    with pytest.raises(UnknownEventError, match="does not fit"):
        deployed(2).decode("Played", 1, b'{"card":"4C"}')


def test_the_same_name_twice_is_refused_at_start():
    events = deployed(1)
    with pytest.raises(RegistryError, match="'Played' is registered twice"):
        events.register("Played", PlayedV2)


def test_the_same_type_twice_is_refused_at_start():
    events = deployed(1)
    with pytest.raises(RegistryError, match="type Played is registered twice"):
        events.register("Laid", Played)


@pytest.mark.parametrize(
    ("version", "upcasters"), [(2, {}), (3, {2: several}), (1, {1: rename}), (0, {}), (2, {2: several})]
)
def test_a_chain_of_upcasters_with_a_hole_is_refused_at_start(version, upcasters):
    with pytest.raises(RegistryError):
        EventRegistry().register("Played", Played, version, upcasters)


def test_newer_versions_are_above_the_written_one():
    with pytest.raises(RegistryError):
        EventRegistry().register("Played", Played, newer={1: rename})


def test_an_unregistered_event_is_not_written():
    with pytest.raises(RegistryError, match="PlayedV2 is not registered"):
        deployed(1).encode(PlayedV2("4C", 2))


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "\\\0"])
def test_b100_text_that_cannot_be_stored_is_refused(text):
    with pytest.raises(UnstorableError):
        deployed(1).encode(Played(text, 1))


@pytest.mark.parametrize("text", ["\\u0000", "é ♣ 🂡", "\\", "\u001f"])
def test_b100_other_text_is_stored_as_it_is(text):
    events = deployed(1)
    assert events.decode(*events.encode(Played(text, 1))) == Played(text, 1)
