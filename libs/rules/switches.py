"""Rule-set switches as text: read from `--set name=value` and from a table's creation, written for views.

A rule set is a frozen msgspec Struct whose fields are booleans, whole numbers with bounds, or closed lists of words.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import msgspec

from libs.rules.game import InvalidRuleSetError

RuleSet = TypeVar("RuleSet", bound=msgspec.Struct)

_LONGEST_WORD = 60
_LONGEST_NUMBER = 9

_BOOLEANS = {"true": True, "on": True, "false": False, "off": False}


def quoted(word: str) -> str:
    """A word from outside as it may stand in a message: quoted, and cut where it is absurdly long."""
    return repr(word) if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]!r}…"


def did_you_mean(word: str, known: list[str]) -> str:
    """A hint such as ` (did you mean cover?)`, empty when nothing known is near."""
    near = difflib.get_close_matches(word[: _LONGEST_WORD + 1], known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def with_switches(defaults: RuleSet, switches: Mapping[str, str]) -> RuleSet:
    """The rule set with some switches set; raises InvalidRuleSetError, which lists what would be right."""
    kinds = _kinds(type(defaults))
    changed: dict[str, object] = {}
    for name, text in switches.items():
        if name not in kinds:
            hint = did_you_mean(name, list(kinds))
            raise InvalidRuleSetError(
                f"there is no switch {quoted(name)}{hint}; there are: {', '.join(kinds)}"
            )
        changed[name] = _value(name, text, kinds[name])
    return msgspec.structs.replace(defaults, **changed)


@cache
def _kinds(rule_set: type[msgspec.Struct]) -> Mapping[str, msgspec.inspect.Type]:
    """What each switch takes. Every table asks, and a type is looked through slowly."""
    described = msgspec.inspect.type_info(rule_set)
    assert isinstance(described, msgspec.inspect.StructType)
    return {field.name: field.type for field in described.fields}


def _value(name: str, text: str, kind: msgspec.inspect.Type) -> object:
    match kind:
        case msgspec.inspect.BoolType():
            if text in _BOOLEANS:
                return _BOOLEANS[text]
            raise _wrong(name, text, "true or false")
        case msgspec.inspect.IntType(ge=least, le=most):
            is_number = text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
            if is_number and (least or 0) <= int(text) <= (most or 0):
                return int(text)
            raise _wrong(name, text, f"a whole number from {least} to {most}")
        case msgspec.inspect.LiteralType(values=values):
            if text in values:
                return text
            raise _wrong(name, text, f"one of {', '.join(str(value) for value in values)}")
        case _:
            raise TypeError(f"switch {name} is of a kind that cannot be written as text: {kind}")


def _wrong(name: str, text: str, right: str) -> InvalidRuleSetError:
    return InvalidRuleSetError(f"switch {name} cannot be {quoted(text)}; it is {right}")


def as_text(rules: msgspec.Struct) -> dict[str, str]:
    """Every switch of a rule set with its value as text, readable by `with_switches`."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in msgspec.structs.asdict(rules).items()
    }
