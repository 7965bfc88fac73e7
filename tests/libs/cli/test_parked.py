"""`carteado parked` on a real NATS: what was put aside, and to drive it again."""

from __future__ import annotations

import asyncio
import json
import subprocess

import nats
import pytest
from nats.js import JetStreamContext

from libs.eventlog.jetstream import PARKED, StreamSpec, ensure_streams
from libs.eventlog.parked import park
from tests.libs.cli.command import run

pytestmark = pytest.mark.integration

RESULTS = StreamSpec("carteado-said", ("carteado.said.word.v1",))
SUBJECT = RESULTS.subjects[0]


class Platform:
    """A NATS, and the command that looks at it."""

    def __init__(self, url: str) -> None:
        self.url = url
        asyncio.run(self._with(self._prepare))

    async def _with(self, work):  # whatever the work gives
        client = await nats.connect(self.url, connect_timeout=30)
        try:
            return await work(client.jetstream())
        finally:
            await client.close()

    async def _prepare(self, js: JetStreamContext) -> None:
        await ensure_streams(js, [RESULTS, PARKED])
        for number, durable in enumerate(("league", "robots", "league"), start=1):
            await park(
                js,
                durable=durable,
                stream=RESULTS.name,
                delivered=f"said-{number}",
                id=f"said-3-{number}",
                subject=SUBJECT,
                data=str(number).encode(),
                headers={"traceparent": "t"},
                reason=f"ValueError('{number}')",
            )

    def sent(self) -> list[str]:
        """The ids of what stands on the subject now."""

        async def look(js: JetStreamContext) -> list[str]:
            state = (await js.stream_info(RESULTS.name)).state
            messages = [await js.get_msg(RESULTS.name, seq) for seq in range(1, state.last_seq + 1)]
            return [(message.headers or {})["ce-id"] for message in messages]

        return asyncio.run(self._with(look))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run(["parked", *words], CARTEADO_NATS=self.url)

    def numbers(self) -> list[int]:
        return [json.loads(line)["sequence"] for line in self.run("ls", "--json").stdout.splitlines()]


@pytest.fixture
def platform(nats_url: str) -> Platform:
    return Platform(nats_url)


def test_ls_shows_whose_what_and_why(platform: Platform) -> None:
    shown = platform.run("ls", "--consumer", "robots")
    assert shown.returncode == 0, shown.stderr
    first, second = shown.stdout.splitlines()
    assert first.split()[:2] == ["2", "robots"]
    assert first.endswith(f"said-3-2  {SUBJECT}")
    assert second.strip() == "ValueError('2')"


def test_redrive_sends_the_chosen_ones_and_forgets_them(platform: Platform) -> None:
    assert platform.numbers() == [1, 2, 3]
    done = platform.run("redrive", "3")
    assert (done.returncode, done.stdout) == (0, "sent again: 1\n"), done.stderr
    assert platform.numbers() == [1, 2]
    assert platform.sent() == ["said-3-3"]


def test_redrive_of_a_consumers_and_of_all(platform: Platform) -> None:
    assert platform.run("redrive", "--consumer", "league").stdout == "sent again: 2\n"
    assert platform.numbers() == [2]
    assert platform.run("redrive", "--all").stdout == "sent again: 1\n"
    assert platform.numbers() == []
    assert platform.sent() == ["said-3-1", "said-3-3", "said-3-2"]
    assert "nothing is parked" in platform.run("ls").stderr


def test_what_is_not_parked_is_said(platform: Platform) -> None:
    answer = platform.run("redrive", "1", "99")
    assert answer.returncode == 1
    assert answer.stdout == "sent again: 1\n"
    assert "not parked: 99" in answer.stderr
    assert platform.numbers() == [2, 3]


@pytest.mark.parametrize("words", [[], ["1", "--all"], ["--all", "--consumer", "league"]])
def test_it_must_be_said_which(platform: Platform, words: list[str]) -> None:
    refused = platform.run("redrive", *words)
    assert refused.returncode == 2
    assert "say which messages" in refused.stderr
    assert platform.numbers() == [1, 2, 3]


def test_without_nats_it_says_so_in_one_line() -> None:
    answer = run(["parked", "ls"], CARTEADO_NATS="nats://127.0.0.1:1")
    assert answer.returncode == 1
    assert answer.stderr == "carteado: NATS does not answer; start the stack, or set CARTEADO_NATS\n"
