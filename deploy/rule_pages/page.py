"""Puts a preset's page together from the words of a language. Pure: the command beside it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from deploy.rule_pages.relevance import told
from libs.rules.buraco.rule_set import RuleSet

NUMBER = "number"
"""The key of the one sentence of a switch that takes whole numbers; it names the number as {value}."""

Sentences = Mapping[str, Mapping[bool | str, str]]
"""Of each switch, the sentence of each value. Words in braces are filled in from the facts."""

Say = Callable[[str], str]
"""The sentence of a switch at a table, empty where the switch does not matter there."""


class Words(msgspec.Struct, frozen=True):
    """A language: names, sentences, and the sections that the sentences stand in.

    `names` are those of the games, `house` is what a house's preset adds. `facts` gives the words that depend on more than one
    switch. `sections` gives Markdown, block by block; empty blocks are left out.
    """

    language: str
    tag: str
    own_name: str
    at_this_table: str
    on_this_page: str
    names: Mapping[str, str]
    house: str
    sentences: Sentences
    facts: Callable[[RuleSet], Mapping[str, str]]
    sections: Callable[[RuleSet, Say], Iterator[str]]


def sentence(words: Words, rules: RuleSet, switch: str) -> str:
    """What a switch's value at these rules is in words."""
    value = getattr(rules, switch)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    text = words.sentences[switch][NUMBER if is_number else value]
    return text.format_map({**words.facts(rules), "value": str(value)})


def title(words: Words, preset: str) -> str:
    """A preset's name as players call it."""
    game, _, house = preset.partition("@")
    return words.names[game] + (words.house.format(house=house) if house else "")


def page(words: Words, preset: str, rules: RuleSet) -> str:
    """The whole page, in Markdown."""
    matters = told(rules)

    def say(switch: str) -> str:
        return sentence(words, rules, switch) if switch in matters else ""

    blocks = (f"# {title(words, preset)}", *words.sections(rules, say))
    return "\n\n".join(block for block in blocks if block) + "\n"


def paragraph(*sentences: str) -> str:
    """Sentences one after another; empty ones are left out."""
    return " ".join(text for text in sentences if text)


def bullets(*items: str) -> str:
    """A list; empty items are left out."""
    return "\n".join(f"- {item}" for item in items if item)


def numbered(*items: str) -> str:
    """A numbered list."""
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))


def table(*rows: tuple[str, ...]) -> str:
    """A table whose first row is its head; empty rows are left out."""
    lines = ["| " + " | ".join(row) + " |" for row in rows if row]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)
