"""A real stack and a real Chromium. Without Chromium these tests fail: they are what `make test-browser` is for.

CARTEADO_CHROMIUM names another binary than Debian's. `CARTEADO_SCREENSHOTS=docs/images make test-browser` draws the
documentation's pictures of the table and the rooms anew.
"""

import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.player import Player

CHROMIUM = Path(os.environ.get("CARTEADO_CHROMIUM", "/usr/bin/chromium"))
READY_WITHIN_S = 120.0
STOPPED_WITHIN_S = 30.0
PICTURES = (
    "table-1280",
    "table-360",
    "signals-360",
    "eleven-360",
    "six-1280",
    "settings-360",
    "buraco-forty-360",
    "sueca-360",
    "domino-360",
    "mau-mau-360",
    "cacheta-360",
    "rooms-livre-360",
    "rooms-ranqueada-1280",
)
"""Those of the documentation."""

# A stack, Chromium and whatever else the machine does share its cores.
expect.set_options(timeout=30_000)

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Stack:
    """A running `carteado up` with its own data."""

    def __init__(self, process: subprocess.Popen[str], url: str, data: Path) -> None:
        self.process = process
        self.url = url
        self.data = data

    def service_pid(self, name: str) -> int:
        """The process of one service, among this stack's own children."""
        pid = self.process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if f"services.{name}".encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        raise AssertionError(f"the stack has no process of {name}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.is_file():
        pytest.fail(
            f"Chromium is missing: there is no {CHROMIUM}. Install it (Debian: apt-get install chromium) "
            "or set CARTEADO_CHROMIUM to its binary",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def stack(open_folder: Path) -> Iterator[Stack]:
    carteado = Path(sys.executable).with_name("carteado")
    command = [carteado, "up", "--data", open_folder / "browser", "--port", "0"]
    environment = {**os.environ, "CARTEADO_ROBOT_PACE_MS": "30"}
    with (open_folder / "browser.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True)
        try:
            yield Stack(process, _ready_url(process, Path(log.name)), open_folder / "browser")
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STOPPED_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise


def _ready_url(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None
    ends_at = time.monotonic() + READY_WITHIN_S
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, ends_at - time.monotonic())):
            line = process.stdout.readline()
            if line.startswith("ready "):
                return line.removeprefix("ready ").strip()
            if not line:
                break
    raise AssertionError(f"the stack did not become ready:\n{log.read_text()}")


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("screenshots")
    yield folder
    if wanted := os.environ.get("CARTEADO_SCREENSHOTS"):
        for name in PICTURES:
            if (picture := folder / f"{name}.jpeg").exists():
                shutil.copy(picture, wanted)


@pytest.fixture(params=[(1280, 800), (360, 740)], ids=["1280", "360"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    width, height = request.param
    return width, height


@pytest.fixture
def player(chromium: Browser, stack: Stack, size: tuple[int, int]) -> Iterator[Player]:
    """A person in front of the page, in a window of one of the two sizes; ends with what must never have happened."""
    with open_player(chromium, stack, size) as player:
        yield player


@pytest.fixture
def desktop_player(chromium: Browser, stack: Stack) -> Iterator[Player]:
    with open_player(chromium, stack, (1280, 800)) as player:
        yield player


def open_player(chromium: Browser, stack: Stack, size: tuple[int, int]) -> "PlayerWindow":
    return PlayerWindow(chromium, stack, size)


class PlayerWindow:
    """A browser profile of its own for one person."""

    def __init__(self, chromium: Browser, stack: Stack, size: tuple[int, int]) -> None:
        width, height = size
        self._context = chromium.new_context(viewport={"width": width, "height": height}, locale="pt-BR")
        self._player = Player(self._context.new_page(), stack.url)

    def __enter__(self) -> Player:
        return self._player

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        try:
            if failure is None:
                self._player.check()
        finally:
            self._context.close()
