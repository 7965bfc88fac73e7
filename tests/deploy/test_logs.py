"""The processes' logs: bounded, and quoted when something dies."""

import errno
from pathlib import Path

import pytest

from deploy.local.logs import cut, last_message, open_log, tail


def test_a_log_that_has_grown_too_long_is_put_aside_while_it_is_written(tmp_path: Path) -> None:
    with open_log(tmp_path, "table") as log:
        log.write(b"one\n")
        cut(tmp_path / "table.log", max_bytes=3)
        log.write(b"two\n")
    assert (tmp_path / "table.log.1").read_text() == "one\n"
    assert (tmp_path / "table.log").read_text() == "two\n"


def test_a_log_stays_as_it_is_when_there_is_no_room_to_put_it_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_half(source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", copy_half)
    log = tmp_path / "table.log"
    log.write_text("one\n")
    cut(log, max_bytes=3)
    assert log.read_text() == "one\n"
    assert not (tmp_path / "table.log.1").exists()


def test_a_short_log_goes_on(tmp_path: Path) -> None:
    for line in (b"one\n", b"two\n"):
        with open_log(tmp_path, "table") as log:
            log.write(line)
    assert (tmp_path / "table.log").read_text() == "one\ntwo\n"
    assert not (tmp_path / "table.log.1").exists()


def test_the_tail_is_of_the_last_start_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_text("old\n")
    since = path.stat().st_size
    path.write_text("old\n" + "".join(f"line {number}\n" for number in range(30)))
    assert tail(path, since, lines=2) == ["line 28", "line 29"]
    assert tail(path, since, lines=99)[0] == "line 0"
    assert tail(tmp_path / "none.log") == []


def test_the_last_message_of_a_structured_log_is_its_text(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_text('{"event": "set CARTEADO_NATS", "level": "error"}\n\n')
    assert last_message(path) == "set CARTEADO_NATS"
    path.write_text("table: set CARTEADO_NATS\n")
    assert last_message(path) == "table: set CARTEADO_NATS"
    path.write_text("")
    assert last_message(path) == ""
