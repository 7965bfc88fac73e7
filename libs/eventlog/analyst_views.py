"""The views that analysts read, as SQL that follows from the event registry: one view per event type.

A field of an event becomes a column of its own type; what is nested stays JSON. The views hold the events of ended
streams alone. Nothing here talks to a database: see `analysts.py`.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

import msgspec
from msgspec import inspect as types

from libs.eventlog.errors import RegistryError
from libs.eventlog.registry import EventRegistry

SCHEMA: Final = "analysis"

COMMON: Final = ("stream", "version", "recorded_at", "actor", "schema_version")
"""The columns that every view begins with; a field of one of these names becomes `event_<name>`."""

RESERVED: Final = ("streams", "events")
"""The views that do not belong to one event type (sql/analysis_*.sql)."""

_LONGEST: Final = 63  # of a name in Postgres
_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")

_SCALARS: Final[tuple[tuple[type[types.Type], str], ...]] = (
    (types.BoolType, "boolean"),
    (types.IntType, "bigint"),
    (types.FloatType, "double precision"),
    (types.DecimalType, "numeric"),
    (types.StrType, "text"),
    (types.DateTimeType, "timestamptz"),
    (types.DateType, "date"),
    (types.UUIDType, "uuid"),
)
_SEQUENCES: Final = (types.ListType, types.VarTupleType, types.SetType, types.FrozenSetType)


class Column(msgspec.Struct, frozen=True):
    """A column of a view: its name, its Postgres type, and the expression that gives it."""

    name: str
    type: str
    expression: str


class View(msgspec.Struct, frozen=True):
    """A view of one event type."""

    name: str
    event: str
    columns: tuple[Column, ...]
    statements: tuple[str, ...]


def analyst_views(registry: EventRegistry[Any]) -> tuple[View, ...]:
    """A view for each registered event type, in order of registration.

    Raises RegistryError for two types whose views would have one name.
    """
    views = tuple(_view(*entry) for entry in registry.types())
    names = [*RESERVED, *(view.name for view in views)]
    for name in names:
        if names.count(name) > 1 or len(name) > _LONGEST:
            raise RegistryError(f"the view analysis.{name} would be made twice, or its name is too long")
    return views


def view_name(event: str) -> str:
    """The name of an event type's view.

    >>> view_name("truco.hand_dealt"), view_name("PlayerRegistered")
    ('truco_hand_dealt', 'player_registered')
    """
    return _WORD.sub("_", event).strip("_").lower()


def _view(event: str, schema_version: int, event_type: type[Any]) -> View:
    info = types.type_info(event_type)
    if not isinstance(info, types.StructType):
        raise RegistryError(f"{event!r} is no Struct: its fields cannot be columns")
    name = view_name(event)
    columns = tuple(_column(field, schema_version) for field in info.fields)
    selected = [f"e.{column}" for column in COMMON]
    selected += [f"{column.expression} AS {_quoted(column.name)}" for column in columns]
    selected.append("e.payload")
    create = (
        f"CREATE VIEW {SCHEMA}.{_quoted(name)} WITH (security_barrier) AS\n"
        f"SELECT {', '.join(selected)}\n"
        f"FROM public.events e\n"
        f"WHERE e.type = {_text(event)} AND EXISTS (\n"
        "    SELECT FROM public.events last\n"
        "    WHERE last.partition = e.partition AND last.stream = e.stream AND last.ends_stream\n"
        ")"
    )
    told = inspect.cleandoc(event_type.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    comment = f"COMMENT ON VIEW {SCHEMA}.{_quoted(name)} IS {_text(f'{event}: {told}')}"
    return View(name, event, columns, (create, comment))


def _column(field: types.Field, schema_version: int) -> Column:
    name = f"event_{field.name}" if field.name in (*COMMON, "payload") else field.name
    value = f"e.payload -> {_text(field.encode_name)}"
    if (default := _default(field)) is not None:
        value = f"coalesce({value}, {_text(default)}::jsonb)"
    column_type, expression = _typed(field.type, f"({value})")
    # A payload of another version may have other fields of the same name: it is given as it is, in `payload`.
    return Column(name, column_type, f"CASE WHEN e.schema_version = {schema_version} THEN {expression} END")


def _default(field: types.Field) -> str | None:
    """What a field that is not in the payload means, as JSON; None when it is always there."""
    if field.required:
        return None
    value = field.default
    if value is msgspec.NODEFAULT:
        value = field.default_factory()
    return msgspec.json.encode(value).decode()


def _typed(of: types.Type, value: str) -> tuple[str, str]:
    """The Postgres type of a field, and the JSON value as that type."""
    element = of.item_type if isinstance(of, _SEQUENCES) else _common_item(of)
    if element is not None and (scalar := _scalar(element)) is not None:
        items = f"jsonb_array_elements_text({value}) WITH ORDINALITY AS item (value, place)"
        array = f"ARRAY(SELECT item.value::{scalar} FROM {items} ORDER BY item.place)"  # noqa: S608 - names of this file and of registered fields, quoted
        return f"{scalar}[]", f"CASE WHEN jsonb_typeof({value}) = 'array' THEN {array} END"
    if isinstance(of, types.UnionType) and len(rest := _without_none(of)) == 1:
        return _typed(rest[0], value)
    scalar = _scalar(of)
    if scalar is not None:
        return scalar, f"({value} #>> '{{}}')::{scalar}"
    return "jsonb", f"nullif({value}, 'null')"


def _common_item(of: types.Type) -> types.Type | None:
    """The one type of a fixed tuple's items, if there is one."""
    if (
        isinstance(of, types.TupleType)
        and of.item_types
        and len({_scalar(item) for item in of.item_types}) == 1
    ):
        return of.item_types[0]
    return None


def _scalar(of: types.Type) -> str | None:
    if isinstance(of, types.UnionType):
        rest = _without_none(of)
        return _scalar(rest[0]) if len(rest) == 1 else None
    if isinstance(of, types.LiteralType | types.EnumType):
        values = of.values if isinstance(of, types.LiteralType) else [member.value for member in of.cls]
        kinds = {type(value) for value in values}
        return {frozenset({str}): "text", frozenset({int}): "bigint"}.get(frozenset(kinds))
    return next((name for kind, name in _SCALARS if isinstance(of, kind)), None)


def _without_none(of: types.UnionType) -> list[types.Type]:
    return [one for one in of.types if not isinstance(one, types.NoneType)]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    if "\\" in value:
        return "E'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
    return "'" + value.replace("'", "''") + "'"
