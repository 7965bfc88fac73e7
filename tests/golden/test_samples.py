"""Every event that any release ever wrote can be read today: one sample of each, never edited."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.golden.announced import ROOT, announced_logs
from tests.golden.files import FOLDER, HOW_TO_ADD, golden_files, manifest

LOGS = announced_logs()
_SAMPLE = re.compile(r"(?P<type>.+)\.v(?P<version>\d+)(?:-(?P<special>[a-z0-9-]+))?\.json")
TYPES = [
    (service, name, versions)
    for service, log in sorted(LOGS.items())
    for name, versions in log.registry.readable()
]


def sample_files(service: str) -> list[Path]:
    return sorted((FOLDER / "samples" / service).glob("*.json"))


def parsed(path: Path) -> re.Match[str]:
    match = _SAMPLE.fullmatch(path.name)
    assert match is not None, f"{path.name} is not <event type>.v<schema version>.json. {HOW_TO_ADD}"
    return match


def test_every_service_with_events_announces_its_log():
    with_events = {path.parent.name for path in (ROOT / "services").glob("*/events.py")}
    assert with_events <= set(LOGS), (
        "announce it under [project.entry-points.'carteado.logs'] in pyproject.toml"
    )
    assert len(TYPES) >= 30


def test_no_golden_file_is_edited_or_removed_and_none_is_missing_in_the_manifest():
    known, found = manifest(), golden_files()
    assert {name for name in known if name not in found} == set(), f"removed: put it back. {HOW_TO_ADD}"
    edited = {name for name, digest in known.items() if found[name] != digest}
    assert edited == set(), f"edited: put it back. {HOW_TO_ADD}"
    assert set(found) - set(known) == set(), f"not in the manifest. {HOW_TO_ADD}"


@pytest.mark.parametrize(("service", "name", "versions"), TYPES, ids=str)
def test_there_is_a_sample_of_every_version_that_is_read(service: str, name: str, versions: tuple[int, ...]):
    for version in versions:
        path = FOLDER / "samples" / service / f"{name}.v{version}.json"
        assert path.is_file(), f"{path.relative_to(ROOT)} is missing. {HOW_TO_ADD}"


@pytest.mark.parametrize("service", sorted(LOGS))
def test_every_sample_is_of_a_type_that_is_registered(service: str):
    readable = dict(LOGS[service].registry.readable())
    for path in sample_files(service):
        match = parsed(path)
        assert match["type"] in readable, f"{path.name}: a registered type is never given up"
        assert int(match["version"]) in readable[match["type"]], f"{path.name}: nobody reads this version"


def test_there_are_samples_of_announced_logs_alone():
    assert {path.name for path in (FOLDER / "samples").iterdir()} == set(LOGS)


@pytest.mark.parametrize(
    ("service", "path"),
    [(service, path) for service in sorted(LOGS) for path in sample_files(service)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_every_sample_is_read_today_and_keeps_what_it_says(service: str, path: Path):
    registry, match = LOGS[service].registry, parsed(path)
    name, version, text = match["type"], int(match["version"]), path.read_text(encoding="utf-8")
    event = registry.decode(name, version, text)
    written_name, written_version, written = registry.encode(event)
    assert written_name == name
    if version == written_version:
        assert_says(json.loads(written), json.loads(text), path.name)
    if match["special"] is None:
        today = FOLDER / "samples" / service / f"{name}.v{written_version}.json"
        assert event == registry.decode(name, written_version, today.read_text(encoding="utf-8")), (
            f"{path.name} and {today.name} do not tell the same fact. {HOW_TO_ADD}"
        )


def assert_says(written: Any, sample: Any, where: str) -> None:
    """What the sample says is written today too, under the same names; fields with a default may have come since."""
    if isinstance(sample, dict):
        assert isinstance(written, dict), where
        for key, value in sample.items():
            assert key in written, f"{where}.{key} is not written any more: that is a new schema version"
            assert_says(written[key], value, f"{where}.{key}")
    elif isinstance(sample, list):
        assert isinstance(written, list), where
        assert len(written) == len(sample), where
        for index, (one, other) in enumerate(zip(written, sample, strict=True)):
            assert_says(one, other, f"{where}[{index}]")
    else:
        assert written == sample, where
