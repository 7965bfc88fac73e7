"""The log of a whole evening at a table, with people, robots, absences and an outage, in its notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from libs.eventlog.committed import replay_commands
from libs.rules.notation.errors import NotationError
from libs.rules.notation.reading import read_match
from libs.rules.notation.writing import write_match
from services.table.log import TABLE_LOG
from services.table.view import OwnEvent
from tests.golden.test_logs import FILES, stored

TABLES = [path for path in FILES if path.parent.name == "table"]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_golden_log_is_written_and_read_with_all_that_was_played(path: Path) -> None:
    commands = replay_commands(
        TABLE_LOG.decider, TABLE_LOG.registry, stored(path), TABLE_LOG.decider.initial(), 0
    )
    table = commands[-1].after
    text = TABLE_LOG.notation(commands, None)
    if table.rules_version != table.game.rules_version:
        with pytest.raises(NotationError, match="of the rules"):
            read_match(text)
        return
    match = read_match(text)
    assert write_match(match) == text
    played = [event for command in commands for event in command.events if not isinstance(event, OwnEvent)]
    assert list(match.events) == played
    assert match.game is table.game
    assert match.game.switches(match.rules) == table.game.switches(table.game.rule_set(table.switches))
    ended = table.ended
    assert ended is not None
    if ended.reason == "finished":
        assert text.endswith(f"{' x '.join(map(str, ended.score))}\n")
    else:
        assert text.endswith("\n*\n")
    robots = {seat for seat, one in enumerate(table.seats) if one.taken.robot}
    assert match.names.keys() == robots
    assert all(seat.taken.player_id not in text for seat in table.seats if seat.taken.player_id)


@pytest.mark.parametrize("preset", ["truco@004", "domino", "mau-mau", "cacheta", "tranca"])
def test_a_log_is_written_up_to_any_version_and_stops_after_a_whole_move(preset: str) -> None:
    path = next(path for path in TABLES if path.stem.startswith(f"{preset}."))
    commands = replay_commands(
        TABLE_LOG.decider, TABLE_LOG.registry, stored(path), TABLE_LOG.decider.initial(), 0
    )
    events = read_match(TABLE_LOG.notation(commands, None)).events
    counts = []
    for version in range(1, commands[-1].to_version, commands[-1].to_version // 12):
        part = read_match(TABLE_LOG.notation(commands, version))
        assert part.events == events[: len(part.events)]
        counts.append(len(part.events))
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
