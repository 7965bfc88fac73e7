"""The rule pages for players: each game has them in both languages, with a sentence for every value of every switch."""

import re
from pathlib import Path

import msgspec
import pytest

from libs.rules.registry import FAMILIES

FOLDER = Path(__file__).parents[3] / "docs" / "rules"
LANGUAGES = ("pt", "en")
PAGES = [(family, language) for family in FAMILIES for language in LANGUAGES]
each_page = pytest.mark.parametrize(
    ("family", "language"), PAGES, ids=[f"{family.name}.{language}" for family, language in PAGES]
)
each_family = pytest.mark.parametrize("family", FAMILIES, ids=[family.name for family in FAMILIES])


def fields(family):
    """The switches as the rule set has them."""
    first = family.games[0]
    return msgspec.inspect.type_info(type(first.rule_set({}))).fields


def defaults(family):
    """Of each switch, its value at each preset."""
    values = [game.switches(game.rule_set({})) for game in family.games]
    return {switch: [value[switch] for value in values] for switch in values[0]}


def values_of_switches(family):
    """Every value of every switch, from the rule set's own types; of a number what the presets have."""
    for field in fields(family):
        match field.type:
            case msgspec.inspect.BoolType():
                yield field.name, ("false", "true")
            case msgspec.inspect.LiteralType(values=values):
                yield field.name, tuple(map(str, values))
            case msgspec.inspect.IntType():
                yield field.name, tuple(sorted(set(defaults(family)[field.name])))


def page(family, language):
    return (FOLDER / f"{family.name.replace('_', '-')}.{language}.md").read_text(encoding="utf-8")


def told(family, language):
    """Each switch's values as the page has them, with the tables that it names and the sentence."""
    sections = re.split(r"^### `(\w+)`: .+$", page(family, language), flags=re.MULTILINE)[1:]
    option = re.compile(r"^- `(\w+)`(?: \(([^)]+)\))?: (.+)$", re.MULTILINE)
    return {
        switch: {value: (tables, sentence) for value, tables, sentence in option.findall(text)}
        for switch, text in zip(sections[::2], sections[1::2], strict=True)
    }


@each_page
def test_every_value_of_every_switch_has_a_sentence(family, language):
    pages = told(family, language)
    assert {switch: set(values) for switch, values in pages.items()} == {
        switch: set(values) for switch, values in values_of_switches(family)
    }
    sentences = [sentence for values in pages.values() for _, sentence in values.values()]
    assert all(len(sentence) > 12 and sentence.endswith(".") for sentence in sentences)


@each_page
def test_the_pages_name_the_tables_that_play_by_each_value(family, language):
    at = defaults(family)
    presets = [game.preset for game in family.games]
    for switch, values in told(family, language).items():
        for value, (tables, _) in values.items():
            playing = [name for name, own in zip(presets, at[switch], strict=True) if own == value]
            assert tables == ", ".join(playing), (switch, value)


@each_page
def test_the_bounds_of_a_number_are_those_of_the_rule_set(family, language):
    for field in fields(family):
        if isinstance(field.type, msgspec.inspect.IntType):
            for _, sentence in told(family, language)[field.name].values():
                numbers = set(re.findall(r"\d+", sentence))
                assert {str(field.type.ge or 0), str(field.type.le)} <= numbers, field.name


@each_family
def test_both_languages_have_the_same_parts(family):
    shapes = [re.findall(r"^(#+|- `\w+`)", page(family, language), re.MULTILINE) for language in LANGUAGES]
    assert shapes[0] == shapes[1]
