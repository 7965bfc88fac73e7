"""docs/record.md names every event that a record may hold, with every field of its payload."""

import re
from pathlib import Path

import msgspec

from services.table.registry import REGISTRY

PAGE = Path(__file__).parents[2] / "docs/record.md"


def test_the_page_names_every_event_and_every_field() -> None:
    told = {}
    for line in PAGE.read_text().splitlines():
        if row := re.match(r"\| `(\w+\.\w+)` \| (.*?) \| ", line):
            fields = re.sub(r"\([^)]*\)", "", row[2])
            told[row[1]] = set(re.findall(r"`(\w+)`", fields))
    stored = {
        name: {field.name for field in msgspec.structs.fields(event_type)}
        for name, version, event_type in REGISTRY.types()
        if version == 1
    }
    assert told == stored
