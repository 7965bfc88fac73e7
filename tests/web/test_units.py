"""The web client's pure parts, run by the pinned Node as they stand in web/src, and the tools that build it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy import web
from deploy.web_types import generated

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

TESTS = sorted(Path(__file__).parent.glob("*.test.ts"))


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    web.install()


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_of_the_client(file: Path) -> None:
    done = subprocess.run(
        [web.BIN / "node", "--test", "--test-reporter=spec", file],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the committed page, for the check to look at instead."""
    copy = tmp_path / "page"
    shutil.copytree(web.PAGE, copy)
    monkeypatch.setattr(web, "PAGE", copy)
    return copy


def test_two_builds_give_the_same_bytes_and_a_changed_bundle_is_found(page: Path, tmp_path: Path) -> None:
    web.bundle(tmp_path / "fresh")
    assert web.stale_files(tmp_path / "fresh") == []
    script = page / "assets" / "app.js"
    script.write_bytes(script.read_bytes() + b"\n")
    (page / "assets" / "old.js").touch()
    assert web.stale_files(tmp_path / "fresh") == ["assets/app.js", "assets/old.js"]


def test_types_follow_the_gateways_json() -> None:
    """What has presence may be missing; what has none is always written (services/gateway/codec.py)."""
    table = generated()["table.ts"]
    assert "  readonly seats: readonly Seat[];\n" in table
    assert "  readonly yourSeat?: number;\n" in table
    assert "  readonly dueAt?: string;\n" in table
    assert "  readonly truco?: games_truco.View;\n" in table
    assert '  | "SEAT_KIND_ROBOT"' in table
