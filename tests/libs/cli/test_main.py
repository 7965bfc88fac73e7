"""The command's map: what it shows, and how errors look."""

import subprocess
import sys
from pathlib import Path

import pytest

from libs.cli.expected import ExpectedError
from libs.cli.main import report


def carteado(*arguments: str, timeout_s: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from libs.cli.main import main; main()", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def test_the_map_names_every_command() -> None:
    shown = carteado("--help")
    assert shown.returncode == 0
    for word in (
        "up",
        "play",
        "arena",
        "log",
        "accounts",
        "billing",
        "league",
        "relay",
        "parked",
        "--version",
        "Examples:",
    ):
        assert word in shown.stdout


def test_without_a_command_it_shows_the_map() -> None:
    asked = carteado()
    assert "up" in asked.stdout + asked.stderr
    assert "Usage:" in asked.stdout + asked.stderr


@pytest.mark.parametrize(
    "command", ["up", "play", "arena", "log", "accounts", "billing", "league", "relay", "parked"]
)
def test_every_command_explains_itself(command: str) -> None:
    shown = carteado(command, "--help")
    assert shown.returncode == 0, shown.stderr
    assert "Usage:" in shown.stdout
    assert command in shown.stdout


def test_the_version_is_a_line() -> None:
    assert carteado("--version").stdout.startswith("carteado ")


def test_an_unknown_command_is_refused() -> None:
    refused = carteado("deal")
    assert refused.returncode == 2
    assert "No such command 'deal'" in refused.stderr


def test_what_a_person_can_put_right_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "version").write_text("99\n")
    refused = carteado("up", "--data", str(tmp_path), "--port", "0")
    assert refused.returncode == 2
    assert refused.stdout == ""
    (line,) = refused.stderr.splitlines()
    assert line.startswith("carteado: ")
    assert "newer version" in line


def test_a_port_that_is_none_is_refused() -> None:
    refused = carteado("up", "--port", "70000")
    assert refused.returncode == 2
    assert "65535" in refused.stderr


def test_an_expected_error_shows_its_detail_first(capsys: pytest.CaptureFixture[str]) -> None:
    code = report(ExpectedError("table died", "look at its log", 1, ["the cards are gone"]))
    assert code == 1
    assert capsys.readouterr().err == "  the cards are gone\ncarteado: table died; look at its log\n"


def test_the_stack_starts_without_importing_the_games() -> None:
    code = (
        "import sys; from libs.cli.main import build; build(['up']); "
        "print([name for name in sys.modules if name.startswith(('libs.rules', 'grpc', 'psycopg', 'aiohttp'))])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=True
    )
    assert found.stdout.strip() == "[]"
