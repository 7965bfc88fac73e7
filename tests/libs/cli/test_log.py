"""`carteado log` on a real log: lists, tells and checks matches, and says so when something is wrong."""

import asyncio
import json
import random
import subprocess
import uuid
from collections.abc import Sequence

import psycopg
import pytest

from libs.eventlog.clock import DatabaseClock
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.runtime import Runtime
from libs.rules.game import Seat
from libs.rules.notation.reading import read_match
from libs.rules.notation.writing import write_match
from libs.rules.truco.robots import ROBOTS
from services.table.commands import MakeMove, OpenTable, robot_actor
from services.table.decider import TABLE
from services.table.events import SeatTaken
from services.table.registry import REGISTRY
from services.table.secrets import match_secret
from tests.libs.cli.command import run

pytestmark = pytest.mark.integration

KEY = b"k" * 32
SEATS = (SeatTaken(robot="simple"),) * 4


class Log:
    """A Postgres with a log of matches between robots, and the command that reads it."""

    def __init__(self, postgres: str) -> None:
        self.postgres = postgres
        with psycopg.connect(postgres, dbname="postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE carteado_table")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return run(["log", *words], CARTEADO_POSTGRES=self.postgres)

    def lines(self, *words: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.run(*words, "--json").stdout.splitlines()]

    def play(self, most: Sequence[int]) -> list[str]:
        """A match for each number: its id after at most so many moves."""
        return asyncio.run(self._play(most))

    async def _play(self, most: Sequence[int]) -> list[str]:
        store = await PostgresStore.open(f"{self.postgres} dbname=carteado_table")
        clock = DatabaseClock(store.now)
        await clock.start()
        runtime = Runtime(
            TABLE, REGISTRY, store, secret_for=lambda table_id: match_secret(KEY, table_id), now=clock.now
        )
        ids = []
        for moves in most:
            ids.append(str(uuid.uuid4()))
            await play_match(runtime, ids[-1], moves)
        await clock.stop()
        await runtime.close()
        await store.close()
        return ids

    def alter(self, statement: str) -> None:
        """Alters the log behind its back, as a damaged disk or a thief would."""
        with psycopg.connect(self.postgres, dbname="carteado_table", autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            connection.execute(statement)


async def play_match(runtime: Runtime, table_id: str, moves: int) -> None:
    chance = random.Random(table_id)
    body = OpenTable(table_id, "truco-paulista", {}, SEATS, ("",) * 4)
    answer = await runtime.handle(table_id, body, command_id=str(uuid.uuid4()), actor="service:test")
    for _ in range(moves):
        state = answer.after
        if state.ended is not None:
            return
        seat = Seat(state.clock.seats[0])
        move = ROBOTS["simple"](state.game.view(state.game_state, seat), chance)
        answer = await runtime.handle(
            table_id, MakeMove(move), command_id=str(uuid.uuid4()), actor=robot_actor(seat)
        )


@pytest.fixture
def log(clean_postgres: str) -> Log:
    return Log(clean_postgres)


def test_ls_lists_the_latest_first(log: Log) -> None:
    ended, running = log.play([10_000, 5])
    assert [(row["table"], row["has_ended"]) for row in log.lines("ls")] == [(running, False), (ended, True)]
    shown = log.run("ls").stdout
    assert ended in shown
    assert "truco-paulista, running" in shown
    assert len(log.lines("ls", "--limit", "1")) == 1


def test_show_tells_an_ended_match_whole_and_any_seat_at_any_version(log: Log) -> None:
    (table_id,) = log.play([10_000])
    told = log.run("show", table_id)
    assert told.returncode == 0
    assert "hand 1 is dealt by seat" in told.stdout
    assert "the table ends, finished" in told.stdout
    assert all(f"seat {seat} " in told.stdout for seat in range(4))
    assert log.run("show", table_id[:8]).stdout == told.stdout
    seat = log.run("show", table_id, "--at", "3", "--seat", "2")
    assert "what seat 2 saw at version 3" in seat.stdout
    assert "seat 2 (you): " in seat.stdout
    assert "seat 1: 3 cards" in seat.stdout
    versions = [row["version"] for row in log.lines("show", table_id, "--clocks")]
    assert versions == list(range(1, len(versions) + 1))


def test_every_version_of_an_ended_match_can_be_looked_at_from_every_seat(log: Log) -> None:
    (table_id,) = log.play([10_000])
    last = log.lines("show", table_id, "--clocks")[-1]["version"]
    for version in {1, 2, 3, last // 2, last - 1, last}:
        for seat in ((), ("--seat", "0"), ("--seat", "3")):
            assert log.run("show", table_id, "--at", str(version), *seat).returncode == 0


def test_show_tells_a_running_match_as_a_spectator_sees_it_and_no_card_of_a_hand(log: Log) -> None:
    (table_id,) = log.play([1])
    told = log.run("show", table_id, "--at", "3").stdout
    dealt = next(line for line in told.splitlines() if "is dealt by" in line)
    assert "seat 0 " not in dealt.split("worth")[1]
    assert told.count(": 3 cards") + told.count(": 2 cards") == 4
    refused = log.run("show", table_id, "--seat", "0")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is running" in refused.stderr


def test_show_prints_an_ended_match_in_its_notation_which_can_be_read_again(log: Log) -> None:
    (table_id,) = log.play([10_000])
    printed = log.run("show", table_id, "--notation")
    assert (printed.returncode, printed.stderr) == (0, "")
    match = read_match(printed.stdout)
    assert write_match(match) == printed.stdout
    assert (match.game.preset, match.names[0]) == ("truco-paulista", "robô simple")
    part = log.run("show", table_id, "--notation", "--at", "30").stdout
    assert part.endswith("\n*\n")
    assert 0 < len(read_match(part).events) < len(match.events)


def test_the_notation_of_a_running_match_is_shown_to_nobody(log: Log) -> None:
    (table_id,) = log.play([3])
    refused = log.run("show", table_id, "--notation")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is running" in refused.stderr
    assert log.run("show", table_id, "--notation", "--seat", "1").returncode == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "abc"), "too short"),
        (("show", "abcdef"), "none begins with"),
        (("show", "11111111-1111-4111-8111-111111111111"), "there is no table"),
    ],
)
def test_what_does_not_exist_is_said_in_one_line(log: Log, words: tuple[str, ...], said: str) -> None:
    log.play([1])
    refused = log.run(*words)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_version_or_seat_that_is_not_there_is_refused(log: Log) -> None:
    (table_id,) = log.play([10_000])
    assert "versions, not 99999" in log.run("show", table_id, "--at", "99999").stderr
    assert "seats 0 to 3, not 4" in log.run("show", table_id, "--seat", "4").stderr


def test_verify_finds_nothing_wrong_with_an_honest_log(log: Log) -> None:
    ended, _ = log.play([10_000, 7])
    for words in (("verify",), ("verify", ended)):
        verified = log.run(*words)
        assert verified.returncode == 0
        assert verified.stdout.startswith("all is well")


OTHER_VIRA = (
    "jsonb_set(payload, '{vira}', to_jsonb(CASE payload ->> 'vira' WHEN '4P' THEN '5P' ELSE '4P' END))"
)
OTHER_DEALER = "jsonb_set(payload, '{dealer}', to_jsonb(((payload ->> 'dealer')::int + 1) % 4))"
OTHER_WINNER = "jsonb_set(payload, '{winners}', to_jsonb(ARRAY[1 - (payload -> 'winners' ->> 0)::int]))"
OTHER_SECRET = "jsonb_set(payload, '{secret}', to_jsonb(repeat('00', 32)))"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (f"UPDATE events SET payload = {OTHER_VIRA} WHERE version = 2", "another hash"),
        (
            f"UPDATE events SET payload = {OTHER_VIRA} WHERE version = 2; UPDATE events SET state_hash = NULL",
            "not those that the secret deals",
        ),
        (
            f"UPDATE events SET payload = {OTHER_SECRET} WHERE type = 'table.ended'",
            "not the one that the first event commits to",
        ),
        (
            f"UPDATE events SET payload = {OTHER_DEALER} WHERE version = 2; UPDATE events SET state_hash = NULL",
            "not those that the secret deals",
        ),
        (
            f"UPDATE events SET payload = {OTHER_WINNER} WHERE type = 'table.ended'",
            "the result is not the one that the match came to",
        ),
        ("DELETE FROM events WHERE version = 5", "version 6 where 5 must stand"),
        ("UPDATE events SET type = 'truco.unheard_of' WHERE version = 5", "its type is not registered"),
    ],
)
def test_verify_finds_what_was_altered(log: Log, statement: str, said: str) -> None:
    log.play([10_000])
    for part in statement.split(";"):
        log.alter(part)
    verified = log.run("verify")
    assert verified.returncode == 1
    assert said in verified.stdout


def test_a_log_that_is_not_there_is_said_in_one_line(clean_postgres: str) -> None:
    missing = run(["log", "ls"], CARTEADO_POSTGRES=clean_postgres)
    assert missing.returncode == 1
    assert "ever run here?" in missing.stderr
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE carteado_table")
    empty = run(["log", "ls"], CARTEADO_POSTGRES=clean_postgres)
    assert empty.returncode == 1
    assert "the database holds no log; has the service table ever run here?" in empty.stderr
    assert "Traceback" not in missing.stderr
