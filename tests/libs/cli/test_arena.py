"""`carteado arena`: certain outcomes, intervals, both cores, and nothing left behind when it is stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libs.cli.arena import Contest, Tally, contested, prepared, wilson
from libs.cli.main import build
from libs.cli.play import PlayRequestError

COMMAND = "from libs.cli.main import main; main()"
ROOT = Path(__file__).parents[3]


def run(*words):
    return CliRunner().invoke(build(["arena"]), ["arena", *words])


def outcome(processes):
    total = Tally()
    for tally in contested(Contest("truco-paulista", ("simple", "random"), seed=2), 8, processes):
        total = total.plus(tally)
    return total.matches, total.won, total.draws, total.moves


def test_one_process_and_two_play_the_same_matches():
    assert outcome(1) == outcome(2)


def test_a_robot_against_itself_wins_exactly_half():
    """Each deal is played twice with the seats swapped, by the same chance."""
    found = list(contested(Contest("truco-paulista", ("simple", "simple")), 10, 1))
    assert [tally.won for tally in found] == [1.0] * 10


def test_it_tells_the_share_with_its_interval_and_the_time():
    result = run("truco-paulista", "--robots", "simple,random", "--matches", "20", "--processes", "1")
    assert result.exit_code == 0
    assert "simple against random, 20 matches" in result.stdout
    assert "95 % interval" in result.stdout
    assert "ms a move on average" in result.stdout
    told = json.loads(
        run(
            "truco-paulista", "--robots", "simple,random", "--matches", "20", "--processes", "1", "--json"
        ).stdout
    )
    assert (told["low"], told["high"]) == pytest.approx(wilson(told["won"], 20))
    assert told["robots"] == ["simple", "random"]


@pytest.mark.parametrize(
    ("won", "matches", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0)],
)
def test_wilsons_interval(won, matches, low, high):
    assert wilson(won, matches) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("truco-paulist",), "did you mean truco-paulista?"),
        (("truco-paulista", "--robots", "strong"), "--robots takes two robots"),
        (("truco-paulista", "--robots", "strong,genius"), "there is no robot 'genius'"),
        (("truco-paulista", "--matches", "3"), "an even number"),
        (("truco-paulista", "--matches", "0"), "an even number"),
        (("truco-paulista", "--players", "6"), "not by 6"),
        (("truco-paulista", "--set", "cover=maybe"), "one of not_leader, off"),
        (("truco-paulista", "--processes", "-1"), "at least 1"),
    ],
)
def test_what_a_person_can_put_right_is_one_line_and_exit_code_2(words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("carteado arena: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_contest_that_cannot_be_is_a_value_error():
    with pytest.raises(PlayRequestError):
        prepared(Contest("truco-paulista", ("strong", "random"), players=5))


def children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [int(child) for child in listed]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_ctrl_c_and_a_termination_leave_no_process(name):
    words = [
        "arena",
        "truco-paulista",
        "--robots",
        "strong,simple",
        "--matches",
        "100000",
        "--processes",
        "2",
    ]
    # A shell has Ctrl-C ignored for what it starts in the background, and for what that starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        started = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        until = time.monotonic() + 120
        # Two workers, and what the interpreter starts to keep count of what they share.
        while len(workers := children(started.pid)) < 3:
            assert time.monotonic() < until
            time.sleep(0.05)
        os.kill(started.pid, getattr(signal, name))
        _, said = started.communicate(timeout=120)
        assert started.returncode == 130
        assert said.decode().strip().splitlines()[-1] == "carteado arena: stopped"
        while any(map(is_alive, workers)):
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
