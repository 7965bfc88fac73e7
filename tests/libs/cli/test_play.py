"""`carteado play`: the same matches everywhere, and errors that a person can put right."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from libs.cli.play import MAX_MOVES, PlayRequestError, play, play_match, set_up
from tests.libs.rules.truco.tables import OTHER_HOUSES

ROOT = Path(__file__).parents[3]

app = typer.Typer()
app.command("play")(play)


@app.command("other")
def other() -> None:
    """A second command, so that `play` is named."""


def run(*words):
    return CliRunner().invoke(app, ["play", *words])


def test_a_json_object_a_match():
    result = run("truco-paulista", "--json", "--matches", "3", "--seed", "7")
    assert result.exit_code == 0
    matches = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(matches) == 3
    for number, match in enumerate(matches, start=1):
        assert list(match) == ["name", "players", "seed", "match", "winner", "score", "moves", "state_hash"]
        assert (match["name"], match["players"], match["seed"], match["match"]) == (
            "truco-paulista",
            4,
            7,
            number,
        )
        assert match["winner"] in {0, 1}
        assert match["score"][match["winner"]] == 12
        assert 0 < match["moves"] < MAX_MOVES
        assert len(bytes.fromhex(match["state_hash"])) == 32
    assert len({match["state_hash"] for match in matches}) == 3


def test_a_seed_repeats_its_matches_and_another_gives_others():
    one = run("truco-paulista", "--json", "--seed", "5").stdout
    assert run("truco-paulista", "--json", "--seed", "5").stdout == one
    assert run("truco-paulista", "--json", "--seed", "6").stdout != one
    assert run("truco-paulista", "--json", "--seed", "5", "--matches", "3").stdout.startswith(one)


COMMAND = "import sys; from tests.libs.cli.test_play import app; app(sys.argv[1:])"


def output(**environment):
    """The command's output in a process of its own, with this environment."""
    played = subprocess.run(
        [sys.executable, "-c", COMMAND, "play", "truco-paulista", "--json", "--matches", "20", "--seed", "3", "--robots", "simple,random"],
        capture_output=True, env={**os.environ, **environment}, cwd=ROOT, timeout=200, check=True,
    )  # fmt: skip
    assert played.stderr == b""
    return played.stdout


def test_b098_the_output_depends_on_no_hash_seed_zone_or_locale():
    expected = output(PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8")
    assert expected.count(b"\n") == 20
    for environment in (
        {"PYTHONHASHSEED": "1", "TZ": "America/Sao_Paulo"},
        {"PYTHONHASHSEED": "4294967295", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"},
    ):
        assert output(**environment) == expected


def test_these_matches_are_what_version_2_of_the_rules_plays():
    """Whoever changes a rule or a robot sees it here; a change of rule needs a new rules_version too."""
    played = [play_match(set_up("truco-paulista", None, (), robots), 1, 1) for robots in ("simple", "random")]
    assert [match.state_hash for match in played] == [
        "b8c24efa0e0f78ebd71890e8679d6104843388d13c12f90d39273c99c9e79986",
        "2a8266ad2309ada055f953d3e50cb8637608cc0267e27ef579c80de24bcfd066",
    ]


def test_switches_change_the_rules():
    plain = run("truco-paulista", "--json", "--matches", "5").stdout
    changed = run(
        "truco-paulista", "--json", "--matches", "5", "--set", "raise_window=anytime", "--set", "cover=off"
    ).stdout
    assert len(changed.splitlines()) == 5
    assert run("truco-paulista", "--json", "--matches", "5", "--set", "cover=not_leader").stdout == plain


@pytest.mark.parametrize("house", OTHER_HOUSES)
def test_the_other_houses_can_be_played_by_switches(house):
    words = [word for switch in OTHER_HOUSES[house].items() for word in ("--set", "=".join(switch))]
    assert run("truco-paulista", "--json", *words).exit_code == 0


def test_robots_are_given_round_the_table():
    setup = set_up("truco-paulista", 4, (), "simple, random")
    assert setup.robot_names == ("simple", "random", "simple", "random")
    assert set_up("truco-paulista", 4, (), "random").robot_names == ("random",) * 4


def test_for_people_there_is_a_table_and_a_summary():
    result = run("truco-paulista", "--matches", "22", "--robots", "simple,random")
    assert result.exit_code == 0
    assert "and 2 more" in result.stdout
    assert "side 0 (seats 0 simple, 2 simple)" in result.stdout
    assert "of 22 won" in result.stdout
    assert result.stderr == ""


def test_on_a_terminal_a_long_run_shows_its_progress_and_leaves_the_output_clean():
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    words = ["play", "truco-paulista", "--json", "--matches", "30"]
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        cwd=ROOT,
    ) as played:
        os.close(theirs)
        output, _ = played.communicate(timeout=200)
    shown = os.read(ours, 100_000)
    os.close(ours)
    assert played.returncode == 0
    assert b"matches" in shown
    assert [json.loads(line)["match"] for line in output.splitlines()] == list(range(1, 31))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("truco-palista",), "did you mean truco-paulista?"),
        (("xadrez",), "there are: truco-paulista"),
        (("truco-paulista", "--players", "6"), "played by 4, not by 6"),
        (("truco-paulista", "--players", "0"), "played by 4, not by 0"),
        (("truco-paulista", "--matches", "0"), "--matches must be at least 1"),
        (("truco-paulista", "--set", "cover"), "--set takes switch=value"),
        (("truco-paulista", "--set", "covr=off"), "did you mean cover?"),
        (("truco-paulista", "--set", "cover=maybe"), "one of not_leader, off"),
        (("truco-paulista", "--set", "cover=off", "--set", "cover=off"), "set twice"),
        (("truco-paulista", "--set", "signals=maybe"), "true or false"),
        (("truco-paulista", "--robots", "genius"), "there are: random, greedy, simple, strong"),
        (("truco-paulista", "--robots", "simple,simple,random"), "cannot be dealt evenly"),
    ],
)  # fmt: skip
def test_what_a_person_can_put_right_is_one_line_and_exit_code_2(words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("carteado play: ")
    assert message in result.stderr


def test_a_request_that_cannot_be_read_is_a_value_error():
    with pytest.raises(PlayRequestError):
        set_up("truco-paulista", 5, (), "simple")
