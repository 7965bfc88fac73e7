"""Reads of a family's page in docs/rules what one preset plays: the options of the other tables are left out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deploy.rule_pages.page import Words, bullets, title

_SWITCH = re.compile(r"^### `(\w+)`: (.+)$", re.MULTILINE)
_OPTION = re.compile(r"^- `(\w+)`(?: \([^)]+\))?: (.+)$", re.MULTILINE)


def at_preset(words: Words, preset: str, text: str, switches: Mapping[str, str]) -> str:
    """The family's page with this preset's name, and of its options those that the preset has.

    Raises KeyError if the page lacks a switch or its value.
    """
    _, rest = text.split("\n", 1)
    common, _, options = rest.rpartition("\n## ")
    _, *parts = _SWITCH.split(options)
    told = {
        switch: (name, dict(_OPTION.findall(section)))
        for switch, name, section in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    }
    items = []
    for switch, value in switches.items():
        name, sentences = told[switch]
        items.append(f"**{name[0].upper()}{name[1:]}**: {_at_table(switch, value, sentences[value])}")
    blocks = (f"# {title(words, preset)}", common.strip(), f"## {words.at_this_table}", bullets(*items))
    return "\n\n".join(blocks) + "\n"


def _at_table(switch: str, value: str, sentence: str) -> str:
    if not switch.endswith("_seconds"):
        return sentence
    # What another table may have stands after the semicolon.
    return f"{value} {sentence.partition(';')[0].rstrip('.')}."
