"""The views' columns follow from the events' fields."""

from __future__ import annotations

import enum
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NewType
from uuid import UUID

import msgspec
import pytest

from libs.eventlog.analyst_views import analyst_views, view_name
from libs.eventlog.errors import RegistryError
from libs.eventlog.registry import EventRegistry

Seat = NewType("Seat", int)


class Colour(enum.Enum):
    RED = "red"
    BLACK = "black"


class Card(msgspec.Struct, frozen=True):
    rank: str


class Everything(msgspec.Struct, frozen=True):
    """One field of each kind.

    This is not told.
    """

    number: int
    seat: Seat
    ratio: float
    flag: bool
    word: str
    moment: datetime
    day: date
    price: Decimal
    key: UUID
    colour: Colour
    reason: Literal["won", "lost"]
    maybe: int | None
    numbers: tuple[int, ...]
    pair: tuple[int, int]
    words: list[str]
    holes: tuple[int | None, ...]
    mixed: tuple[int, str]
    nested: tuple[tuple[str, ...], ...]
    card: Card
    switches: dict[str, str]
    either: int | str


def columns(event_type: type) -> dict[str, str]:
    events: EventRegistry = EventRegistry()
    events.register("any.thing", event_type)
    (view,) = analyst_views(events)
    return {column.name: column.type for column in view.columns}


def test_each_field_is_a_column_of_its_type():
    assert columns(Everything) == {
        "number": "bigint",
        "seat": "bigint",
        "ratio": "double precision",
        "flag": "boolean",
        "word": "text",
        "moment": "timestamptz",
        "day": "date",
        "price": "numeric",
        "key": "uuid",
        "colour": "text",
        "reason": "text",
        "maybe": "bigint",
        "numbers": "bigint[]",
        "pair": "bigint[]",
        "words": "text[]",
        "holes": "bigint[]",
        "mixed": "jsonb",
        "nested": "jsonb",
        "card": "jsonb",
        "switches": "jsonb",
        "either": "jsonb",
    }


def test_a_field_named_like_a_common_column_is_told_apart():
    class Awkward(msgspec.Struct, frozen=True):
        version: int
        payload: str

    assert columns(Awkward) == {"event_version": "bigint", "event_payload": "text"}


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("truco.hand_dealt", "truco_hand_dealt"),
        ("PlayerRegistered", "player_registered"),
        ("a-b c.D2Won", "a_b_c_d2_won"),
    ],
)
def test_a_view_is_named_after_its_event(event, name):
    assert view_name(event) == name


@pytest.mark.parametrize("names", [("a.b", "a_b"), ("streams",), ("x" * 64,)])
def test_names_that_clash_are_refused_at_start(names):
    events: EventRegistry = EventRegistry()
    for number, name in enumerate(names):
        events.register(name, msgspec.defstruct(f"Event{number}", []))
    with pytest.raises(RegistryError, match="analysis"):
        analyst_views(events)


def test_the_first_paragraph_of_an_event_is_told():
    events: EventRegistry = EventRegistry()
    events.register("any.thing", Everything)
    (view,) = analyst_views(events)
    assert view.statements[1].endswith("IS 'any.thing: One field of each kind.'")
