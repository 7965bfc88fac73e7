"""`carteado accounts` against a real stack: what an operator sees, and what reaches the player."""

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import psycopg
import pytest

from carteado.gateway.v1.gateway_pb2 import ServerMessage
from deploy.local import StackInfo, discover
from tests.deploy.stack import Stack
from tests.services.gateway.conftest import PROTOBUF, Client

pytestmark = [pytest.mark.e2e, pytest.mark.integration, pytest.mark.timeout(180)]


COMMAND = (sys.executable, "-c", "from libs.cli.main import main; main()", "accounts")


@pytest.fixture(scope="module")
def stack() -> Iterator[StackInfo]:
    """`carteado up` with every service."""
    parent = Path(tempfile.mkdtemp(prefix="carteado-test-", dir="/tmp"))
    parent.chmod(0o755)
    running = Stack(parent / "data")
    try:
        running.ready()
        yield discover(parent / "data")
    finally:
        running.clean_up()
        shutil.rmtree(parent)


def carteado(stack: StackInfo, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words, "--data", str(stack.data)],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def done(stack: StackInfo, *words: str) -> str:
    result = carteado(stack, *words)
    assert result.returncode == 0, result.stderr
    return result.stdout


def refused(stack: StackInfo, *words: str) -> str:
    """The one line that says what is wrong."""
    result = carteado(stack, *words)
    assert result.returncode in {1, 2}
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


@pytest.fixture
async def guest(stack: StackInfo) -> dict[str, Any]:
    """A player of this stack, with `name`."""
    async with (
        aiohttp.ClientSession(stack.url) as session,
        session.post(
            "/api/v1/guests",
            json={"name": f"Zica {uuid4().hex[:8]}"},
            headers={"Idempotency-Key": str(uuid4())},
        ) as response,
    ):
        assert response.status == 201
        answer: dict[str, Any] = await response.json()
        return answer


async def test_a_ban_closes_the_players_socket_at_once_and_is_lifted_again(
    stack: StackInfo, guest: dict[str, Any]
) -> None:
    async with aiohttp.ClientSession(stack.url) as session:
        client = Client(await session.ws_connect("/ws", protocols=[PROTOBUF]))
        await client.hello(guest["token"])
        words = ("ban", guest["name"], "--reason", "abusive-chat", "--note", "Xingou a mesa", "--for", "7d")
        banning = asyncio.create_task(asyncio.to_thread(done, stack, *words, "--operator", "zeca"))
        frame = await client.socket.receive(timeout=30)
        assert ServerMessage.FromString(frame.data).error.code == "PLAYER_BANNED"
        await client.expect_close(4403)
        assert (await banning).startswith(f"{guest['player_id']} is banned until ")
        shown = await asyncio.to_thread(done, stack, "show", guest["player_id"])
        assert "abusive-chat by zeca: Xingou a mesa" in shown
        await asyncio.to_thread(done, stack, "unban", guest["name"], "--note", "Foi engano")
        shown = await asyncio.to_thread(done, stack, "show", guest["name"])
        assert "banned      no" in shown
        again = Client(await session.ws_connect("/ws", protocols=[PROTOBUF]))
        await again.hello(guest["token"])


def test_who_did_it_stands_in_the_log_and_why_stands_beside_it(
    stack: StackInfo, guest: dict[str, Any]
) -> None:
    words = ("ban", guest["player_id"], "--reason", "cheating", "--note", "Combinou cartas", "--for-ever")
    done(stack, *words, "--operator", "zeca")
    with psycopg.connect(stack.postgres, dbname="carteado_accounts") as connection:
        row = connection.execute(
            "select actor, payload->>'reason', payload::text from events "
            "where type = 'PlayerBanned' and payload->>'player_id' = %s",
            (guest["player_id"],),
        ).fetchone()
    assert row is not None
    assert row[:2] == ("operator:zeca", "cheating")
    assert "Combinou" not in row[2]


def test_personal_data_is_exported_and_erased(stack: StackInfo, guest: dict[str, Any]) -> None:
    exported = json.loads(done(stack, "export", guest["name"]))
    assert (exported["player_id"], exported["name"]) == (guest["player_id"], guest["name"])
    assert "say --yes" in refused(stack, "erase", guest["name"])
    assert done(stack, "erase", guest["name"], "--yes") == f"{guest['player_id']} is erased\n"
    assert "PLAYER_NOT_FOUND" in refused(stack, "show", guest["name"])
    assert "(erased)" in done(stack, "show", guest["player_id"])
    assert "PLAYER_ERASED" in refused(stack, "export", guest["player_id"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--for", "7d", "--for-ever"), "say one of"),
        ((), "say one of"),
        (("--for", "soon"), "say 7d, 12h or 30m"),
        (("--until", "2020-01-01"), "BAN_END_IN_THE_PAST"),
        (("--for", "7d", "--operator", "Zeca da Silva"), "INVALID_ARGUMENT"),
    ],
)
def test_what_is_not_understood_is_one_line(
    stack: StackInfo, guest: dict[str, Any], words: tuple[str, ...], says: str
) -> None:
    told = refused(stack, "ban", guest["player_id"], "--reason", "other", "--note", "x", *words)
    assert says in told


def test_a_reason_is_required(stack: StackInfo, guest: dict[str, Any]) -> None:
    without_note = carteado(stack, "ban", guest["player_id"], "--reason", "other", "--for-ever")
    without_reason = carteado(stack, "ban", guest["player_id"], "--note", "x", "--for-ever")
    assert (without_note.returncode, without_reason.returncode) == (2, 2)
    assert "--note" in without_note.stderr
    assert "--reason" in without_reason.stderr
    blank = refused(stack, "ban", guest["player_id"], "--reason", "other", "--note", " ", "--for-ever")
    assert "NOTE_REQUIRED" in blank


def test_without_a_stack_it_says_so(tmp_path: Path) -> None:
    result = subprocess.run(
        [*COMMAND, "show", "Ana", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert result.returncode in {1, 2}
    assert "no stack has run" in result.stderr
