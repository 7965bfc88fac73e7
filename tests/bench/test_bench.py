"""The bench measures what it says, in the form that it promises, and leaves nothing running."""

import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from deploy.local.process import is_running
from tests.bench.report import Report
from tests.bench.rows import (
    APPEND,
    BOARDGAME,
    BURACO,
    CALM,
    DOMINO,
    DOMINOES,
    ECHO,
    GATEWAY,
    GATEWAY_HALF,
    HOSTILE,
    MAU_MAU,
    MEMORY,
    PEER_APPEND,
    PEER_REBUILD,
    PLAY,
    PLAY_ALONE,
    PLAY_HALF,
    PLAYOUT,
    PYTRUCO,
    REBUILD,
    RLCARD_GIN,
    RULES,
    SPADES,
    SPIEL_GIN,
    SUECA,
    UNARY,
    UNO,
    WAITING,
    bare,
    runtime,
)
from tests.bench.script import write_scripts

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 200
SHORT = ("--seconds", "0.3", "--rounds", "1", "--tables", "8", "--streams", "2", "--json")


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bench", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def below(pid: int) -> set[int]:
    """Ids of every process below this one."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def folders_of(pid: int) -> set[Path]:
    """The bench's folders that a process was told of."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return set()
    return set(map(Path, re.findall(r"/tmp/carteado-bench-\w+", words)))


@pytest.fixture
def short_bench() -> Iterator[subprocess.Popen[str]]:
    process = start(*SHORT, "--only", "play")
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)


def test_one_short_round_measures_every_row_and_every_ratio(short_bench: subprocess.Popen[str]) -> None:
    out, err = short_bench.communicate(timeout=TIMEOUT_S)
    assert short_bench.returncode == 0, err
    report = msgspec.json.decode(out, type=Report)
    assert list(report.rows) == [PLAY, PLAY_ALONE, ECHO, APPEND, RULES]
    for row in report.rows.values():
        assert len(row.rounds) == 1
        assert 0 < row.least <= row.median <= row.most
    for name in (PLAY, PLAY_ALONE, ECHO, APPEND):
        row = report.rows[name]
        assert row.p50_ms is not None
        assert row.p99_ms is not None
        assert 0 < row.p50_ms <= row.p99_ms
    assert list(report.ratios) == ["play/echo", "play/append", "play_alone/echo", "play_alone/append"]
    assert all(ratio.median > 0 for ratio in report.ratios.values())
    assert report.ratios["play/echo"].rounds == [report.rows[PLAY].median / report.rows[ECHO].median]
    assert report.machine.fsync
    assert report.rows[PLAY].facts["frames_s"] > 0
    assert report.rows[PLAY_ALONE].facts["frames_s"] == 0


def test_the_section_append_measures_the_runtime_beside_the_bare_function_and_the_peer() -> None:
    process = start(*SHORT, "--only", "append")
    out, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, err
    report = msgspec.json.decode(out, type=Report)
    names = {*map(runtime, WAITING), *map(bare, WAITING), PEER_APPEND, REBUILD, PEER_REBUILD}
    assert set(report.rows) == names
    assert all(row.median > 0 for row in report.rows.values())
    assert {"runtime_64/bare_64", "runtime_64/peer_append", "rebuild/peer_rebuild"} <= set(report.ratios)


def test_the_sections_behind_the_gateway_measure_moves_hostile_clients_and_memory() -> None:
    process = start(*SHORT, "--only", "limits,gateway,memory", "--limits-rounds", "1", "--stalled", "40")
    out, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, err
    report = msgspec.json.decode(out, type=Report)
    assert {PLAY, PLAY_ALONE, PLAY_HALF, UNARY, GATEWAY, GATEWAY_HALF, CALM, HOSTILE, MEMORY} == set(
        report.rows
    )
    assert report.rows[GATEWAY].facts["frames_s"] > report.rows[GATEWAY].median, "four seats are updated"
    hostile = report.rows[HOSTILE].facts
    assert hostile["stalled"] > 0
    assert hostile["flood_closes"] > 0
    assert hostile["gateway_mib"] > 0
    assert report.ratios["hostile/calm"].reach == 1.5
    assert report.rows[MEMORY].facts["connection_kib"] > 0


def test_the_section_rules_measures_random_matches_beside_other_libraries() -> None:
    process = start(*SHORT, "--only", "rules")
    out, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, err
    report = msgspec.json.decode(out, type=Report)
    assert list(report.rows) == [
        PLAYOUT,
        PYTRUCO,
        SPADES,
        SUECA,
        DOMINO,
        DOMINOES,
        MAU_MAU,
        UNO,
        BURACO,
        SPIEL_GIN,
        RLCARD_GIN,
    ]
    assert list(report.ratios) == [
        "playout/pytruco",
        "playout/spades",
        "sueca/spades",
        "domino/dominoes",
        "mau_mau/uno",
        "buraco/spiel_gin",
        "buraco/rlcard_gin",
    ]
    assert all(ratio.median > 0 for ratio in report.ratios.values())


def test_the_peer_on_node_does_the_same_work_as_the_gateway() -> None:
    process = start(*SHORT, "--only", "boardgame")
    out, err = process.communicate(timeout=2 * TIMEOUT_S)
    assert process.returncode == 0, err
    report = msgspec.json.decode(out, type=Report)
    assert list(report.rows) == [GATEWAY, BOARDGAME]
    peer = report.rows[BOARDGAME]
    assert peer.facts["frames_s"] > peer.median, "four seats are updated"
    assert report.ratios["gateway/boardgame"].reach == 8


def test_scripts_are_left_for_tables_that_are_within_one_when_their_time_is_over() -> None:
    scripts = write_scripts(b"k" * 32, random.Random(5), 300, tables=3)
    assert sum(len(script.steps) for script in scripts[:-3]) >= 300
    assert sum(len(script.steps) for script in scripts[:-4]) < 300


def test_an_interrupted_bench_leaves_no_process_and_no_folder(short_bench: subprocess.Popen[str]) -> None:
    assert short_bench.stderr is not None
    for line in short_bench.stderr:
        if line.startswith("round 1: play stream"):
            break
    started = below(short_bench.pid)
    folders = {folder for pid in started for folder in folders_of(pid)}
    assert len(started) > 3, "Postgres, NATS, the table service and the echo run"
    assert len(folders) == 1
    short_bench.send_signal(signal.SIGINT)
    short_bench.communicate(timeout=TIMEOUT_S)
    assert short_bench.returncode == 130
    deadline = time.monotonic() + 5
    while any(map(is_running, started)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not [pid for pid in started if is_running(pid)]
    assert not folders.pop().exists()
