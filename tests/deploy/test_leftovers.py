"""What an earlier supervisor left running is ended, and nobody else."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.leftovers import Children, command_line

pytestmark = [pytest.mark.fault]


@pytest.fixture
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits for ever."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()


def test_a_noted_child_is_ended_by_the_next_run(tmp_path: Path, waiting) -> None:
    Children(tmp_path).note("nats", waiting.pid)
    said: list[tuple[str, str]] = []
    Children(tmp_path).end_leftovers(lambda name, line: said.append((name, line)))
    assert waiting.wait(60) == -15
    assert said == [("nats", f"ending process {waiting.pid}, which an earlier run left behind (SIGTERM)")]


def test_another_process_that_has_the_number_now_is_left_alone(tmp_path: Path, waiting) -> None:
    earlier = subprocess.Popen([sys.executable, "-c", "input() or 0"], stdin=subprocess.PIPE)
    Children(tmp_path).note("nats", earlier.pid)
    earlier.kill()
    earlier.wait()
    noted = tmp_path / "children.json"
    noted.write_text(noted.read_text().replace(str(earlier.pid), str(waiting.pid), 1))
    Children(tmp_path).end_leftovers(lambda name, line: pytest.fail(line))
    assert waiting.poll() is None


def test_a_copy_of_a_running_stacks_folder_ends_nothing_of_it(tmp_path: Path, waiting) -> None:
    running, copy = tmp_path / "running", tmp_path / "copy"
    running.mkdir()
    Children(running).note("nats", waiting.pid)
    shutil.copytree(running, copy)
    Children(copy).end_leftovers(lambda name, line: pytest.fail(line))
    assert waiting.poll() is None


@pytest.mark.parametrize("content", ["", "[]", '{"nats": 1}', '{"nats": {"pid": 1, "identity": null}}'])
def test_a_damaged_note_ends_nobody(tmp_path: Path, content: str) -> None:
    (tmp_path / "children.json").write_text(content)
    Children(tmp_path).end_leftovers(lambda name, line: pytest.fail(line))


def test_after_an_orderly_end_nothing_is_noted(tmp_path: Path, waiting) -> None:
    children = Children(tmp_path)
    children.note("nats", waiting.pid)
    children.forget()
    Children(tmp_path).end_leftovers(lambda name, line: pytest.fail(line))
    assert waiting.poll() is None


def test_a_process_that_has_just_been_started_is_known_by_its_whole_command_line(tmp_path: Path) -> None:
    """Between its start and its first instruction a process has an empty one: noted so, it would be a stranger later."""
    shown = tmp_path / "cmdline"
    shown.touch()
    later = threading.Timer(0.1, shown.write_text, ["nats-server\0-js\0"])
    later.start()
    assert command_line(tmp_path) == "nats-server\0-js\0"
    later.join()
