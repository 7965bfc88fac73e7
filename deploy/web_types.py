"""Writes the web client's types from the contracts: the WebSocket's messages in their JSON form, and the HTTP API's schemas.

What the gateway sends is then what the client reads, proved by the compiler: a field with no presence is always written
(see services/gateway/codec.py), one with presence may be missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from carteado.gateway.v1 import gateway_pb2

_ROOT = Path(__file__).parents[1]
_OPENAPI = _ROOT / "services" / "gateway" / "openapi.json"
_TABLES = _ROOT / "web" / "src" / "games"
_HEADER = "// Generated from {source} by `make web`; never edited.\n\n"
_TIMESTAMP = "google.protobuf.Timestamp"
_SCHEMAS = (
    "Access",
    "Account",
    "Commitment",
    "Error",
    "Guest",
    "LeagueStanding",
    "LeagueTable",
    "OpenTable",
    "OpenTables",
    "Place",
    "Players",
    "Practice",
    "Record",
    "Rooms",
    "Session",
    "Wish",
)
"""The schemas that the client uses; those that they name come with them."""

_SCALARS: Mapping[int, str] = {
    FieldDescriptor.CPPTYPE_INT32: "number",
    FieldDescriptor.CPPTYPE_UINT32: "number",
    FieldDescriptor.CPPTYPE_INT64: "string",
    FieldDescriptor.CPPTYPE_UINT64: "string",
    FieldDescriptor.CPPTYPE_DOUBLE: "number",
    FieldDescriptor.CPPTYPE_FLOAT: "number",
    FieldDescriptor.CPPTYPE_BOOL: "boolean",
    FieldDescriptor.CPPTYPE_STRING: "string",
}


def generated() -> dict[str, str]:
    """The content of every generated file, by its name."""
    return {**_messages(), "http.ts": _schemas(json.loads(_OPENAPI.read_text()))}


def _messages() -> dict[str, str]:
    found: dict[str, Descriptor | EnumDescriptor] = {}
    for root in (gateway_pb2.ClientMessage.DESCRIPTOR, gateway_pb2.ServerMessage.DESCRIPTOR):
        found.update(_reachable(root))
    packages: dict[str, list[Descriptor | EnumDescriptor]] = {}
    for one in found.values():
        packages.setdefault(one.file.package, []).append(one)
    return {f"{_module(package)}.ts": _package(package, packages[package]) for package in sorted(packages)}


def _reachable(root: Descriptor) -> dict[str, Descriptor | EnumDescriptor]:
    found: dict[str, Descriptor | EnumDescriptor] = {}
    waiting: list[Descriptor] = [root]
    while waiting:
        message = waiting.pop()
        if message.full_name in found or message.full_name == _TIMESTAMP:
            continue
        if not message.GetOptions().map_entry:
            found[message.full_name] = message
        for field in _known_fields(message):
            if field.enum_type is not None:
                found[field.enum_type.full_name] = field.enum_type
            elif field.message_type is not None:
                waiting.append(field.message_type)
    return found


def _known_fields(message: Descriptor) -> list[FieldDescriptor]:
    """In their order, without those of games that have no table in the client yet: they come with the game's folder."""
    fields = sorted(message.fields, key=lambda field: field.number)
    return [field for field in fields if field.message_type is None or _is_known(field.message_type)]


def _is_known(message: Descriptor) -> bool:
    game = _module(message.file.package).removeprefix("games_")
    return not message.file.package.startswith("carteado.games.") or (_TABLES / game).is_dir()


def _module(package: str) -> str:
    return package.removeprefix("carteado.").removesuffix(".v1").replace(".", "_")


def _package(package: str, types: list[Descriptor | EnumDescriptor]) -> str:
    imports: set[str] = set()
    bodies = [_type(one, imports) for one in sorted(types, key=lambda one: one.name)]
    head = _HEADER.format(source=f"proto/{package.replace('.', '/')}")
    lines = [f'import type * as {name} from "./{name}.ts";\n' for name in sorted(imports)]
    return head + "".join(lines) + ("\n" if lines else "") + "\n".join(bodies)


def _type(one: Descriptor | EnumDescriptor, imports: set[str]) -> str:
    if isinstance(one, EnumDescriptor):
        return (
            f"export type {one.name} =\n" + "\n".join(f'  | "{value.name}"' for value in one.values) + ";\n"
        )
    fields = [_field(field, one.file.package, imports) for field in _known_fields(one)]
    if not fields:
        return f"export type {one.name} = Readonly<Record<string, never>>;\n"
    return f"export interface {one.name} {{\n" + "".join(fields) + "}\n"


def _field(field: FieldDescriptor, package: str, imports: set[str]) -> str:
    mark = "?" if field.has_presence else ""
    return f"  readonly {field.camelcase_name}{mark}: {_field_type(field, package, imports)};\n"


def _field_type(field: FieldDescriptor, package: str, imports: set[str]) -> str:
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        return f"Readonly<Record<string, {_value_type(message.fields_by_name['value'], package, imports)}>>"
    one = _value_type(field, package, imports)
    return f"readonly {one}[]" if field.is_repeated else one


def _value_type(field: FieldDescriptor, package: str, imports: set[str]) -> str:
    named = field.message_type if field.message_type is not None else field.enum_type
    if named is None:
        return _SCALARS[field.cpp_type]
    if named.full_name == _TIMESTAMP:
        return "string"
    if named.file.package == package:
        return str(named.name)
    module = _module(named.file.package)
    imports.add(module)
    return f"{module}.{named.name}"


def _schemas(openapi: Mapping[str, Any]) -> str:
    schemas = openapi["components"]["schemas"]
    wanted = set(_SCHEMAS)
    while more := {name for one in wanted for name in _named(schemas[one])} - wanted:
        wanted |= more
    bodies = [f"export type {name} = {_schema(schemas[name], 0)};\n" for name in sorted(wanted)]
    return _HEADER.format(source="services/gateway/openapi.json") + "\n".join(bodies)


def _named(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield str(schema["$ref"]).rsplit("/", 1)[1]
        for value in schema.values():
            yield from _named(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _named(value)


def _schema(schema: Mapping[str, Any], depth: int) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "oneOf" in schema:
        return " | ".join(_schema(one, depth) for one in schema["oneOf"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(_kind(kind, schema, depth) for kind in kinds)


def _kind(kind: str, schema: Mapping[str, Any], depth: int) -> str:
    match kind:
        case "string" | "boolean" | "null":
            return kind
        case "integer" | "number":
            return "number"
        case "array":
            return f"readonly ({_schema(schema['items'], depth)})[]"
        case "object":
            return _object(schema, depth)
    raise ValueError(f"a schema's type has no form in TypeScript: {kind}")


def _object(schema: Mapping[str, Any], depth: int) -> str:
    properties = schema.get("properties", {})
    if not properties:
        values = schema.get("additionalProperties")
        value = _schema(values, depth) if isinstance(values, dict) else "unknown"
        # Not Record<…>: a schema has that name.
        return f"{{ readonly [name: string]: {value} }}"
    return "{\n" + "".join(_properties(schema, depth + 1)) + "  " * depth + "}"


def _properties(schema: Mapping[str, Any], depth: int) -> Iterator[str]:
    required = schema.get("required", ())
    for name, one in schema["properties"].items():
        mark = "" if name in required else "?"
        yield f"{'  ' * depth}readonly {name}{mark}: {_schema(one, depth)};\n"
