"""The embedded NATS: closed to strangers, and what it has acknowledged stays."""

import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import nats as client
import pytest

from deploy.local.nats import Nats, find_binary
from deploy.local.ports import free_ports

pytestmark = [pytest.mark.integration, pytest.mark.fault]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Nats]:
    """A server of this test's own."""
    server = Nats(tmp_path / "nats", free_ports(1)[0], find_binary(os.environ))
    server.start()
    yield server
    server.stop()


async def test_acknowledged_messages_survive_a_kill(server: Nats) -> None:
    connection = await client.connect(server.url, allow_reconnect=False)
    jetstream = connection.jetstream()
    await jetstream.add_stream(name="turns", subjects=["turns"])
    for number in range(50):
        await jetstream.publish("turns", str(number).encode())
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait(60)
    await connection.close()
    server.start()
    connection = await client.connect(server.url, allow_reconnect=False)
    assert (await connection.jetstream().stream_info("turns")).state.messages == 50
    await connection.close()


async def test_without_the_password_nobody_comes_in(server: Nats) -> None:
    errors: list[Exception] = []

    async def keep(error: Exception) -> None:
        errors.append(error)

    with pytest.raises(client.errors.Error):
        await client.connect(f"nats://127.0.0.1:{server.port}", allow_reconnect=False, error_cb=keep)
    assert any("Authorization" in str(error) for error in errors)


def test_it_listens_on_loopback_alone(server: Nats) -> None:
    tables = [Path(f"/proc/{server.process.pid}/net/{name}").read_text() for name in ("tcp", "tcp6")]
    listening = [
        line.split()[1] for table in tables for line in table.splitlines()[1:] if line.split()[3] == "0A"
    ]
    mine = [address for address in listening if int(address.rpartition(":")[2], 16) == server.port]
    assert [address.partition(":")[0] for address in mine] == ["0100007F"]


def test_its_password_is_for_its_owner_alone(server: Nats) -> None:
    for name in ("password", "nats.conf"):
        assert stat.S_IMODE((server.folder / name).stat().st_mode) == 0o600
