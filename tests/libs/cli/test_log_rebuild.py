"""`carteado log rebuild`, and `carteado log ls` on what the projection says."""

import asyncio

import psycopg
import pytest

from libs.eventlog.projector import Projector
from services.table.matches import MATCHES
from tests.libs.cli.test_log import Log, log
from tests.libs.eventlog.test_projections import caught_up
from tests.libs.eventlog.waiting import until

__all__ = ["log"]

pytestmark = pytest.mark.integration


def rows(log: Log) -> list[tuple]:
    with psycopg.connect(log.postgres, dbname="carteado_table") as connection:
        return connection.execute(f"SELECT * FROM {MATCHES.schema}.matches ORDER BY began_at").fetchall()


def project(log: Log) -> None:
    """What the table service does in the background, until it has caught up."""

    async def follow() -> None:
        conninfo = f"{log.postgres} dbname=carteado_table"
        projector = Projector(conninfo, MATCHES)
        await projector.start()
        await until(caught_up(conninfo, MATCHES.schema))
        await projector.stop()

    asyncio.run(follow())


def test_a_rebuild_makes_the_rows_from_nothing(log: Log) -> None:
    ended, running = log.play([10_000, 5])
    rebuilt = log.run("rebuild", "matches")
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert rebuilt.stdout.startswith("matches: ")
    found = rows(log)
    assert [(row[0], row[1], row[4], row[5]) for row in found] == [
        (ended, "truco-paulista", ["simple"] * 4, "finished"),
        (running, "truco-paulista", ["simple"] * 4, "running"),
    ]
    assert 12 in found[0][9]
    assert found[1][7:] == (None, None, None, None)


def test_a_row_that_no_event_made_is_gone_and_the_others_are_equal(log: Log) -> None:
    log.play([10_000, 5])
    project(log)
    before = rows(log)
    assert len(before) == 2
    with psycopg.connect(log.postgres, dbname="carteado_table", autocommit=True) as connection:
        connection.execute(
            f"INSERT INTO {MATCHES.schema}.matches SELECT 'nobody', preset, 1, players, robots, status, began_at, "
            f"ended_at FROM {MATCHES.schema}.matches LIMIT 1"
        )
    assert len(rows(log)) == 3
    assert log.run("rebuild", "matches").returncode == 0
    assert rows(log) == before


def test_ls_says_the_same_with_and_without_the_projection(log: Log) -> None:
    log.play([10_000, 5])
    without = log.run("ls").stdout
    project(log)
    assert log.run("ls").stdout == without
    assert "truco-paulista, finished 12 to " in without or " to 12" in without


def test_ls_reads_the_projection_and_replays_only_what_it_does_not_know(log: Log) -> None:
    (listed,) = log.play([10_000])
    project(log)
    (late,) = log.play([10_000])
    log.alter(f"UPDATE {MATCHES.schema}.matches SET score = '{{7, 7}}'")
    said = {row["table"]: row["what"] for row in log.lines("ls")}
    assert said[listed] == "truco-paulista, finished 7 to 7"
    assert said[late].startswith("truco-paulista, finished ")
    assert said[late] != said[listed]


def test_ls_does_not_say_that_an_ended_match_runs_when_the_projection_is_behind(log: Log) -> None:
    (table_id,) = log.play([10_000])
    project(log)
    log.alter(f"UPDATE {MATCHES.schema}.matches SET status = 'running', ended_at = NULL, score = NULL")
    ((said,),) = [(row["what"],) for row in log.lines("ls")]
    assert said.startswith("truco-paulista, finished ")
    assert table_id in log.run("ls").stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rebuild", "nothing"), 2, "known: matches"),
        (("rebuild", "matches", "--log", "nobody"), 2, "no installed service announces a log named 'nobody'"),
    ],
)
def test_what_there_is_not_is_said_in_one_line(
    log: Log, words: tuple[str, ...], code: int, said: str
) -> None:
    refused = log.run(*words)
    assert refused.returncode == code
    assert said in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_database_without_a_log_is_said_in_one_line(log: Log) -> None:
    missing = log.run("rebuild", "matches")
    assert missing.returncode == 1
    assert "ever run here?" in missing.stderr
    assert "Traceback" not in missing.stderr


def test_an_event_that_cannot_be_read_stops_a_rebuild_with_its_name_and_place(log: Log) -> None:
    log.play([10_000])
    project(log)
    before = rows(log)
    log.alter("UPDATE events SET type = 'truco.unheard_of' WHERE version = 5")
    stopped = log.run("rebuild", "matches")
    assert stopped.returncode == 1
    assert "event 'truco.unheard_of' (schema version 1) at table-" in stopped.stderr
    assert "position 5: its type is not registered" in stopped.stderr
    assert rows(log) == before
