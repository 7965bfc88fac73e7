"""What docs/analysts.md says is so: the views that it lists are those that there are, and its queries run."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from libs.eventlog.analyst_views import COMMON, analyst_views
from libs.eventlog.analysts import ANALYST, publish_views
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.store import AppendCommand, NewEvent, StreamWrite
from libs.eventlog.streams import stream_id
from tests.golden.announced import ROOT, announced_logs
from tests.golden.test_logs import FILES, stored

GUIDE = (ROOT / "docs" / "analysts.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", GUIDE, flags=re.DOTALL)


def listing() -> str:
    """The list of views as it must stand in the guide."""
    lines = []
    for service, log in sorted(announced_logs().items(), reverse=True):
        lines += [
            f"### `carteado_{service}`",
            "",
            "| view | columns beside the common ones |",
            "| --- | --- |",
        ]
        for view in sorted(analyst_views(log.registry), key=lambda view: view.name):
            by_type = groupby(view.columns, key=lambda column: column.type)
            columns = "; ".join(
                f"{', '.join(column.name for column in some)} `{kind}`" for kind, some in by_type
            )
            lines.append(f"| `{view.name}` | {columns} |")
        lines.append("")
    return "\n".join(lines)


def test_it_lists_the_views_that_there_are():
    assert listing() in GUIDE, f"docs/analysts.md must list the views as they are now:\n\n{listing()}"


def test_it_names_the_common_columns():
    for column in (*COMMON, "payload"):
        assert f"`{column}`" in GUIDE


@pytest.fixture
async def table_log(postgres_store: PostgresStore, log_database: str) -> str:
    """A log of real matches: the golden logs, each three times, and one match that runs."""
    for path in FILES:
        if path.parent.name != "table":
            continue
        for copy in range(4):
            events = stored(path)
            write = StreamWrite(
                stream_id("table", str(uuid4())),
                0,
                tuple(
                    NewEvent(event.name, 1, event.payload.encode())
                    for event in events[: -5 if copy == 3 else None]
                ),
                ends_stream=copy != 3,
            )
            await postgres_store.append(AppendCommand(str(uuid4()), b"", (write,), "service:test"))
    await publish_views(log_database, announced_logs()["table"].registry)
    return log_database


def test_there_are_three_queries_and_more():
    assert len(QUERIES) >= 3


@pytest.mark.integration
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.partition("\n")[0].removeprefix("-- "))
async def test_an_analyst_can_run_each_query_of_the_guide(table_log, query):
    with psycopg.connect(table_log) as connection:
        connection.execute(f"SET ROLE {ANALYST}")
        rows = connection.execute(query.encode()).fetchall()
    assert rows
    assert all(value is not None for value in rows[0])


@pytest.mark.integration
async def test_the_first_query_counts_what_was_played(table_log):
    with psycopg.connect(table_log) as connection:
        rows = connection.execute(QUERIES[0].encode()).fetchall()
        ((matches,),) = connection.execute(
            "SELECT count(*) FROM events WHERE type = 'table.ended'"
        ).fetchall()
    assert (
        sum(row[2] for row in rows)
        == matches
        == 3 * len([path for path in FILES if path.parent.name == "table"])
    )


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", GUIDE):
        assert (Path(ROOT / "docs") / target).resolve().exists(), target
