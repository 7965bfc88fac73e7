"""The rule pages for players have a sentence for every value of every switch, in both languages, and name the right tables."""

import re
from pathlib import Path

import msgspec
import pytest

from libs.rules.registry import GAMES
from libs.rules.truco.rule_set import RuleSet

FOLDER = Path(__file__).parents[4] / "docs" / "rules"
LANGUAGES = ("pt", "en")
PRESETS = [name for name in GAMES if name.startswith("truco")]


def defaults():
    """Of each switch, its value at each preset."""
    values = [GAMES[name].switches(GAMES[name].rule_set({})) for name in PRESETS]
    return {switch: [value[switch] for value in values] for switch in values[0]}


def values_of_switches():
    """Every value of every switch, from the rule set's own types; of a number what the presets have."""
    for field in msgspec.inspect.type_info(RuleSet).fields:
        match field.type:
            case msgspec.inspect.BoolType():
                yield field.name, ("false", "true")
            case msgspec.inspect.LiteralType(values=values):
                yield field.name, values
            case msgspec.inspect.IntType():
                yield field.name, tuple(sorted(set(defaults()[field.name])))


def page(language):
    return (FOLDER / f"truco.{language}.md").read_text(encoding="utf-8")


def told(language):
    """Each switch's values as the page has them, with the tables that it names and the sentence."""
    sections = re.split(r"^### `(\w+)`: .+$", page(language), flags=re.MULTILINE)[1:]
    option = re.compile(r"^- `(\w+)`(?: \(([^)]+)\))?: (.+)$", re.MULTILINE)
    return {
        switch: {value: (tables, sentence) for value, tables, sentence in option.findall(text)}
        for switch, text in zip(sections[::2], sections[1::2], strict=True)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_every_switch_has_a_sentence(language):
    pages = told(language)
    assert {switch: set(values) for switch, values in pages.items()} == {
        switch: set(values) for switch, values in values_of_switches()
    }
    sentences = [sentence for values in pages.values() for _, sentence in values.values()]
    assert all(len(sentence) > 12 and sentence.endswith(".") for sentence in sentences)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_name_the_tables_that_play_by_each_value(language):
    at = defaults()
    for switch, values in told(language).items():
        for value, (tables, _) in values.items():
            playing = [name for name, own in zip(PRESETS, at[switch], strict=True) if own == value]
            assert tables == ", ".join(playing), (switch, value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bounds_of_the_clock_are_those_of_the_rule_set(language):
    field = next(field for field in msgspec.inspect.type_info(RuleSet).fields if field.name == "card_seconds")
    _, sentence = told(language)["card_seconds"]["20"]
    assert {str(field.type.ge), str(field.type.le)} <= set(re.findall(r"\d+", sentence))


def test_both_languages_have_the_same_parts():
    shapes = [re.findall(r"^(#+|- `\w+`)", page(language), re.MULTILINE) for language in LANGUAGES]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_r01_the_spanish_pack_is_another_face_of_the_same_cards(language):
    faces = re.findall(r"\b(1[012]) (?:no lugar d[ao]|for) ([KJQ])\b", page(language))
    assert dict(faces) == {"12": "K", "11": "J", "10": "Q"}
