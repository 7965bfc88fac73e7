"""What operators' commands say when they cannot do what was asked: one line, and never a traceback."""

import getpass
from collections.abc import Sequence
from pathlib import Path

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from libs.cli import main as main_module
from libs.service.credentials import create_key_pair
from libs.service.grpc_client import Channels
from tests.libs.cli.command import run

PLAYER = "0b6f7a52-1c1e-4a7e-8f0a-3d2b9e5c4f10"
BAN = ("accounts", "ban", PLAYER, "--reason", "other", "--note", "x")


def refused(words: Sequence[str], code: int, **environment: str) -> str:
    """The one line that says what is wrong."""
    done = run(words, **environment)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    "words", [("billing", "show", PLAYER), ("league", "weeks", "sueca"), ("accounts", "show", PLAYER)]
)
def test_addresses_that_name_nobody_are_none(words: tuple[str, ...], tmp_path: Path) -> None:
    environment = {f"CARTEADO_{words[0].upper()}_REPLICAS": " , ", "CARTEADO_KEYS": str(tmp_path)}
    assert "no stack has run" in refused((*words, "--data", str(tmp_path)), 1, **environment)


def test_what_may_have_been_done_all_the_same_is_not_to_be_done_again_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_late(*_: object) -> None:
        raise AioRpcError(grpc.StatusCode.DEADLINE_EXCEEDED, Metadata(), Metadata(), "Deadline Exceeded")

    create_key_pair("cli", tmp_path)
    monkeypatch.setattr(Channels, "call", too_late)
    environment = {"CARTEADO_BILLING_REPLICAS": "127.0.0.1:1", "CARTEADO_KEYS": str(tmp_path)}
    line = refused(("billing", "refund", PLAYER, "x", "--amount", "5,00"), 1, **environment)
    assert (
        line
        == "carteado: DEADLINE_EXCEEDED: Deadline Exceeded; it may have been done all the same: look before you do it again"
    )


def test_who_is_logged_in_nowhere_is_asked_for_a_login(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.delenv("CARTEADO_OPERATOR", raising=False)
    assert "say --operator" in refused(("billing", "chargeback", PLAYER, "x"), 2)


@pytest.mark.parametrize("until", ["0001-01-01", "9999-12-31T23:59:59"])
def test_a_time_at_an_end_of_the_calendar_ends_no_ban(until: str, tmp_path: Path) -> None:
    """Python has no time in UTC for the one or the other, by the zone of the machine."""
    done = run((*BAN, "--until", until, "--data", str(tmp_path)))
    assert done.returncode in {1, 2}
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize("words", [("log", "ls"), ("relay", "status")])
def test_what_is_no_connection_string_is_told_as_such(words: tuple[str, ...]) -> None:
    line = refused(words, 2, CARTEADO_POSTGRES="bogus")
    assert "CARTEADO_POSTGRES is no connection string" in line


def test_ctrl_c_while_a_command_is_loaded_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main_module, "_load", interrupted)
    done = run(("league", "weeks", "sueca"))
    assert (done.returncode, done.stderr) == (130, "")
