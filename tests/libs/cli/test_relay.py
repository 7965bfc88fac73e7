"""`carteado relay` on a real log: how far it has come, and to publish a part of it again."""

from __future__ import annotations

import asyncio
import json
import subprocess

import nats
import psycopg
import pytest

from libs.eventlog.jetstream import StreamSpec, ensure_streams
from libs.eventlog.migrations import migrate
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.relay import Relay, RelayLimits
from libs.eventlog.relay_status import relay_status
from libs.eventlog.store import AppendCommand, NewEvent, StreamWrite
from libs.eventlog.streams import partition_of, stream_id
from tests.libs.cli.command import run
from tests.libs.eventlog.waiting import until

pytestmark = pytest.mark.integration

SAID = StreamSpec("carteado-said", ("carteado.said.word.v1",))
PARTITION = partition_of("a")


class Platform:
    """A Postgres with the logs of two services, and the command that looks at them."""

    def __init__(self, postgres: str) -> None:
        self.postgres = postgres
        for service in ("said", "other"):
            with psycopg.connect(postgres, dbname="postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE carteado_{service}".encode())
            asyncio.run(migrate(self.database(service)))

    def database(self, service: str) -> str:
        return f"{self.postgres} dbname=carteado_{service}"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run(["relay", *words], CARTEADO_POSTGRES=self.postgres)

    def partition(self) -> dict[str, object]:
        lines = self.run("status", "said", "--json").stdout.splitlines()
        assert len(lines) == 16
        return json.loads(lines[PARTITION])

    def say(self, *words: str) -> None:
        asyncio.run(self._say(words))

    async def _say(self, words: tuple[str, ...]) -> None:
        store = await PostgresStore.open(self.database("said"))
        stream = stream_id("said", "a")
        for word in words:
            version = (await store.head(stream)).version
            event = NewEvent("Said", 1, b"{}", SAID.subjects[0], word.encode())
            await store.append(AppendCommand(word, b"", (StreamWrite(stream, version, (event,)),)))
        await store.close()

    def publish(self, nats_url: str) -> list[bytes]:
        """Pump everything; gives what stands in NATS then."""
        return asyncio.run(self._publish(nats_url))

    async def _publish(self, nats_url: str) -> list[bytes]:
        client = await nats.connect(nats_url, connect_timeout=30)
        js = client.jetstream()
        await ensure_streams(js, [SAID])
        relay = Relay(self.database("said"), js, "said", limits=RelayLimits(poll_s=0.05))
        await relay.start()

        async def is_done() -> bool:
            return not any(row.waiting for row in await relay_status(self.database("said")))

        await until(is_done)
        await relay.stop()
        state = (await js.stream_info(SAID.name)).state
        found = [
            (await js.get_msg(SAID.name, seq)).data or b""
            for seq in range(state.first_seq, state.last_seq + 1)
        ]
        await client.close()
        return found


@pytest.fixture
def platform(clean_postgres: str) -> Platform:
    return Platform(clean_postgres)


def test_status_shows_each_service_and_what_waits(platform: Platform) -> None:
    platform.say("um", "dois")
    shown = platform.run("status")
    assert shown.returncode == 0, shown.stderr
    header, other, said = (line.split() for line in shown.stdout.splitlines())
    assert header[:3] == ["service", "waiting", "oldest"]
    assert other[:3] == ["other", "0", "-"]
    assert said[:2] == ["said", "2"]
    assert said[-3:] == ["0", "of", "16"]
    assert float(said[2]) > 0


def test_a_database_without_a_log_hides_no_service(platform: Platform) -> None:
    """A service that has not come to its migrations yet, or an administrator's copy of one."""
    with psycopg.connect(platform.postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE carteado_empty")
    shown = platform.run("status")
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["service", "other", "said"]
    assert "carteado_empty holds no log" in shown.stderr
    refused = platform.run("status", "empty")
    assert refused.returncode == 1
    assert "carteado_empty holds no log; has the service empty run here" in refused.stderr


def test_status_of_a_service_shows_its_partitions(platform: Platform) -> None:
    platform.say("um", "dois", "três")
    shown = platform.run("status", "said")
    assert len(shown.stdout.splitlines()) == 17
    line = shown.stdout.splitlines()[1 + PARTITION]
    assert line.split()[:4] == [str(PARTITION), "0", "3", "3"]
    assert line.endswith("nobody")
    row = platform.partition()
    assert (row["service"], row["partition"], row["position"], row["head"], row["waiting"]) == (
        "said",
        PARTITION,
        0,
        3,
        3,
    )
    assert row["pumped_by"] is None


def test_rewind_has_a_part_published_again_that_nats_has_lost(platform: Platform, nats_url: str) -> None:
    platform.say("um", "dois", "três")
    assert platform.publish(nats_url) == [b"um", b"dois", "três".encode()]
    assert platform.partition()["position"] == 3
    asyncio.run(_lose_stream(nats_url))
    done = platform.run("rewind", "said", str(PARTITION), "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"said partition {PARTITION}: from 3 back to 1, 2 public messages wait to be published\n"
    )
    assert "nobody pumps it now" in done.stderr
    assert platform.publish(nats_url) == [b"dois", "três".encode()]


async def _lose_stream(nats_url: str) -> None:
    client = await nats.connect(nats_url, connect_timeout=30)
    await client.jetstream().delete_stream(SAID.name)
    await client.close()


def test_rewind_never_goes_forward(platform: Platform) -> None:
    platform.say("um")
    done = platform.run("rewind", "said", str(PARTITION), "7")
    assert done.stdout == f"said partition {PARTITION} stands at 0: nothing is published again\n"
    assert platform.partition()["waiting"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("status", "nobody"), "known: other, said"),
        (("rewind", "nobody", "0", "0"), "known: other, said"),
        (("rewind", "said", "16", "0"), "PARTITION"),
        (("rewind", "said", "0", "-1"), "No such option"),
    ],
)
def test_what_is_not_there_is_refused(platform: Platform, words: tuple[str, ...], said: str) -> None:
    refused = platform.run(*words)
    assert refused.returncode == 2
    assert said in refused.stderr


def test_without_a_server_it_says_so_in_one_line() -> None:
    answer = run(["relay", "status"], CARTEADO_POSTGRES="host=127.0.0.1 port=1")
    assert answer.returncode == 1
    assert answer.stderr.startswith("carteado: Postgres does not answer: ")
