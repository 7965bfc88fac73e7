"""Whole logs of earlier releases replay to the hashes that were stored with them (fault B093)."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from libs.cli.log_source import LogSource
from libs.eventlog.committed import replay, replay_commands
from libs.eventlog.errors import UnknownEventError
from libs.eventlog.inspect import ReplayChecks
from libs.eventlog.store import StoredEvent
from libs.eventlog.streams import parse_stream
from libs.rules.game import Seat
from libs.rules.registry import GAMES
from tests.golden.announced import announced_logs
from tests.golden.files import FOLDER
from tests.golden.record import BEGAN_AT, Evening, line

FILES = sorted((FOLDER / "logs").rglob("*.jsonl"))


def source(path: Path) -> LogSource:
    log = announced_logs()[path.parent.name]
    assert isinstance(log, LogSource)
    return log


def stored(path: Path) -> list[StoredEvent]:
    """The events as the log holds them."""
    events = []
    for text in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(text)
        events.append(
            StoredEvent(
                row["stream"],
                parse_stream(row["stream"]).partition,
                row["version"],
                row["version"],
                row["type"],
                row["schema_version"],
                json.dumps(row["payload"]),
                row["command_id"],
                row["actor"],
                None if row["state_hash"] is None else bytes.fromhex(row["state_hash"]),
                datetime.fromisoformat(row["recorded_at"]),
            )
        )
    return events


def test_there_is_a_log_of_every_preset_and_number_of_players():
    firsts = [json.loads(path.read_text(encoding="utf-8").partition("\n")[0])["payload"] for path in FILES]
    recorded = {(opened["preset"], len(opened["seats"])) for opened in firsts}
    wanted = {(preset, count) for preset, game in GAMES.items() for count in game.player_counts}
    assert wanted <= recorded, "python -m tests.golden.record PRESET --players N; see tests/golden/README.md"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_log_replays_to_every_stored_hash(path: Path):
    log = source(path)
    checks = ReplayChecks(log.decider, log.registry).again()
    events = stored(path)
    assert [checks.check(event) for event in events] == [None] * len(events)
    assert checks.hashes > 20
    assert {event.name for event in events} <= set(log.registry.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_log_ends_as_it_ended_and_was_dealt_fairly(path: Path):
    log, events = source(path), stored(path)
    commands = replay_commands(log.decider, log.registry, events, log.decider.initial(), 0)
    after = commands[-1].after
    assert log.is_public(after)
    ended = json.loads(events[-1].payload)
    assert (list(after.ended.winners), list(after.ended.score)) == (ended["winners"], ended["score"])
    assert list(log.problems(commands)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_event_of_a_golden_log_is_told_in_a_line_and_every_view_in_a_picture(path: Path):
    log, events = source(path), stored(path)
    commands = replay_commands(log.decider, log.registry, events, log.decider.initial(), 0)
    viewers = (*map(Seat, range(log.seats(commands[-1].after))), None)
    for step in (step for command in commands for step in command.steps):
        assert "\n" not in log.tell(step.event)
        for viewer in viewers:
            seen = log.decider.observe(step.event, step.before, step.after, viewer)
            assert seen is None or log.tell(seen)
    for command in commands[::10]:
        for viewer in viewers:
            assert all(log.picture(log.decider.view(command.after, viewer)))


def test_a_golden_log_with_an_unknown_type_stops_loudly_with_its_name_and_position_b093():
    path = FILES[0]
    log, events = source(path), stored(path)
    strange = [*events[:6], msgspec.structs.replace(events[6], name="truco.unheard_of"), *events[7:]]
    place = rf"at {events[6].stream} version 7, partition {events[6].partition} position 7"
    with pytest.raises(UnknownEventError, match=f"'truco.unheard_of' .* {place}: its type is not registered"):
        replay(log.decider, log.registry, strange, log.decider.initial(), 0)


def test_the_recorder_plays_the_same_match_from_the_same_seed():
    first, second = (asyncio.run(Evening("truco-paulista", 7).play()) for _ in range(2))
    assert [line(event) for event in first] == [line(event) for event in second]
    assert first[0].recorded_at >= BEGAN_AT
