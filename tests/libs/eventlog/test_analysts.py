"""Analysts read the events of ended streams, by typed columns, and can read nothing else: everything is tried."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from libs.eventlog.analyst_views import analyst_views
from libs.eventlog.analysts import ANALYST, publish_views
from libs.eventlog.migrations import migrate
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.projection_build import make_live
from libs.eventlog.registry import EventRegistry
from libs.eventlog.runtime import Runtime
from libs.eventlog.store import AppendCommand, NewEvent, StreamWrite
from libs.eventlog.streams import stream_id
from tests.libs.eventlog.counter import COUNTER, Add, End, Start, registry
from tests.libs.eventlog.test_analysts_views import Card, Colour, Everything
from tests.libs.eventlog.test_registry import Played, PlayedV2, rename
from tests.libs.eventlog.totals import TOTALS

pytestmark = pytest.mark.integration

ENDED, RUNNING = stream_id("counter", "ended"), stream_id("counter", "running")
SECRET = "the ace is on seat two"


@pytest.fixture
async def log(postgres_store: PostgresStore, log_database: str) -> str:
    """An ended and a running stream, both with a text that shows where it should not, and the views."""
    runtime = Runtime(COUNTER, registry(), postgres_store)
    for name in ("ended", "running"):
        for body in (Start(), Add(7, note=f"{SECRET} of {name}"), Add(2)):
            await runtime.handle(name, body, command_id=str(uuid4()), actor="player:ana")
    await runtime.handle("ended", End(), command_id=str(uuid4()), actor="player:ana")
    assert await publish_views(log_database, registry())
    return log_database


@pytest.fixture
def login(log: str) -> Iterator[str]:
    """A real login of an analyst, as docs/analysts.md says to make one: its connection string."""
    name, password = f"analyst_{secrets.token_hex(4)}", secrets.token_hex(8)
    with psycopg.connect(log, autocommit=True) as connection:
        statement = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE {}")
        connection.execute(
            statement.format(sql.Identifier(name), sql.Literal(password), sql.Identifier(ANALYST))
        )
        yield make_conninfo(log, user=name, password=password)
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def ask(conninfo: str, query: str, *parameters: object) -> list[tuple]:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        return connection.execute(query.encode(), parameters or None).fetchall()


def test_a_view_gives_the_events_of_ended_streams_in_typed_columns(log, login):
    rows = ask(
        login,
        "SELECT stream, version, actor, number, due_at, note FROM analysis.counter_added ORDER BY version",
    )
    assert rows == [
        (ENDED, 2, "player:ana", 7, None, f"{SECRET} of ended"),
        (ENDED, 3, "player:ana", 2, None, ""),
    ]
    assert ask(login, "SELECT total FROM analysis.counter_ended") == [(9,)]


def test_of_running_streams_there_is_no_more_than_that_they_are_there(log, login):
    rows = ask(
        login, "SELECT stream, category, id, version, type, has_ended FROM analysis.streams ORDER BY id"
    )
    assert rows == [
        (ENDED, "counter", "ended", 4, "CounterEnded", True),
        (RUNNING, "counter", "running", 3, "CounterAdded", False),
    ]
    with psycopg.connect(login) as connection:
        cursor = connection.execute("SELECT * FROM analysis.streams")
        assert [column.name for column in cursor.description or ()] == [
            "stream",
            "category",
            "id",
            "version",
            "type",
            "began_at",
            "last_at",
            "has_ended",
        ]


def test_no_view_shows_anything_of_a_running_stream(log, login):
    views = ask(log, "SELECT viewname FROM pg_views WHERE schemaname = 'analysis'")
    assert len(views) == len(registry().names) + 2
    for (view,) in views:
        shown = str(ask(login, f'SELECT * FROM analysis."{view}"'))
        if view != "streams":
            assert RUNNING not in shown
        assert f"{SECRET} of running" not in shown


def test_a_stream_shows_once_it_has_ended(log, login, postgres_store):
    async def end() -> None:
        store = await PostgresStore.open(log)
        await Runtime(COUNTER, registry(), store).handle("running", End(), command_id="x", actor="ana")
        await store.close()

    asyncio.run(end())
    assert len(ask(login, "SELECT FROM analysis.counter_ended")) == 2


def test_every_view_is_a_security_barrier(log):
    loose = ask(
        log,
        "SELECT relname FROM pg_class WHERE relnamespace = 'analysis'::regnamespace "
        "AND NOT coalesce('security_barrier=true' = ANY (reloptions), false)",
    )
    assert loose == []


LEAK = """
CREATE TEMPORARY TABLE heard (note text);
CREATE FUNCTION pg_temp.leak(note text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS $$
BEGIN
    RAISE NOTICE 'heard: %', note;
    RETURN true;
END
$$;
"""


def test_a_function_in_a_condition_is_not_shown_rows_that_the_view_holds_back(log, login):
    """Without the barrier, a cheap condition runs before the view's own and hears every row."""
    heard: list[str] = []
    with psycopg.connect(login, autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
        connection.execute(LEAK.encode())
        connection.execute("SELECT * FROM analysis.counter_added WHERE pg_temp.leak(note)").fetchall()
        connection.execute(
            "SELECT * FROM analysis.events WHERE pg_temp.leak(stream || (payload ->> 'note'))"
        ).fetchall()
    assert len(heard) == 6
    assert not any(RUNNING in told for told in heard)
    # The same query on a view without the barrier does hear it: the test can fail.
    heard.clear()
    with psycopg.connect(log, autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
        connection.execute("ALTER VIEW analysis.events SET (security_barrier = false)")
        connection.execute(LEAK.encode())
        connection.execute(
            "SELECT * FROM analysis.events WHERE pg_temp.leak(stream || (payload ->> 'note'))"
        ).fetchall()
    assert any(RUNNING in told for told in heard)


RELATIONS = """
    SELECT format('%I.%I', n.nspname, c.relname), c.relkind::text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'analysis')
      AND n.nspname !~ '^pg_(toast|temp)'
"""
FUNCTIONS = """
    SELECT format('%I.%I(%s)', n.nspname, p.proname, (
        SELECT string_agg('NULL::' || format_type(t, NULL), ', ' ORDER BY place)
        FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, place)
    ))
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_temp'
"""
PEEPHOLES = [
    "SELECT * FROM pg_authid",
    "SELECT * FROM pg_statistic",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT * FROM pg_ls_dir('.')",
    "SELECT table_to_xml('public.events', true, false, '')",
    "SELECT schema_to_xml('public', true, false, '')",
    "SELECT query_to_xml('SELECT * FROM public.events', true, false, '')",
    "SELECT lo_import('/etc/passwd')",
    "COPY public.events TO STDOUT",
    "COPY (SELECT 1) TO PROGRAM 'cat'",
    "CREATE TABLE public.mine (x integer)",
    "CREATE VIEW analysis.mine AS SELECT 1",
    "CREATE SCHEMA mine",
    "ALTER VIEW analysis.events SET (security_barrier = false)",
    "CREATE OR REPLACE VIEW analysis.streams AS SELECT 1",
    "SET session_replication_role = replica",
    "GRANT carteado TO CURRENT_USER",
]


def as_role(conninfo: str, statement: str) -> str:
    """What became of a statement of the group role, in a transaction that is rolled back."""
    with psycopg.connect(conninfo) as connection:
        connection.execute(f"SET ROLE {ANALYST}")
        return outcome(connection, statement)


def as_login(conninfo: str, statement: str) -> str:
    with psycopg.connect(conninfo) as connection:
        return outcome(connection, statement)


def outcome(connection: psycopg.Connection, statement: str) -> str:
    try:
        connection.execute(statement.encode())
    except psycopg.errors.InsufficientPrivilege:
        return "refused"
    except psycopg.Error as error:
        return f"{type(error).__name__}: {error}"
    finally:
        connection.rollback()
    return "allowed"


@pytest.fixture
async def everything(log: str) -> str:
    """A log with all that a service may put beside it: tables of its own, a projection."""
    async with await psycopg.AsyncConnection.connect(log, autocommit=True) as connection:
        await connection.execute("CREATE TABLE display_names (name text)")
        await connection.execute("CREATE FUNCTION later() RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$")
        await make_live(connection, TOTALS)
    return log


@pytest.mark.parametrize("kind", ["role", "login"])
def test_the_role_can_read_and_write_and_call_nothing_else(everything, login, kind):
    def attempt(statement: str) -> str:
        return as_role(everything, statement) if kind == "role" else as_login(login, statement)

    relations = ask(everything, RELATIONS)
    names = {name for name, _ in relations}
    assert {"public.events", "public.events_07", "public.deadlines", f"{TOTALS.schema}.totals"} <= names
    statements = []
    for name, relation_kind in relations:
        statements += [f"SELECT * FROM {name}", f"SELECT count(*) FROM {name}", f"TABLE {name}"]
        if relation_kind in ("r", "p"):
            statements += [
                f"INSERT INTO {name} DEFAULT VALUES",
                f"DELETE FROM {name}",
                f"TRUNCATE {name}",
                f"LOCK TABLE {name}",
            ]
    functions = [function for (function,) in ask(everything, FUNCTIONS)]
    assert any(function.startswith("public.append(") for function in functions)
    statements += [f"SELECT {function}" for function in functions]
    statements += PEEPHOLES
    if kind == "login":
        statements.append("SET SESSION AUTHORIZATION carteado")
    assert {statement: attempt(statement) for statement in statements} == dict.fromkeys(statements, "refused")
    assert attempt("SELECT * FROM analysis.events") == "allowed"


@pytest.mark.parametrize("change", ["DELETE FROM analysis.events", "UPDATE analysis.events SET version = 1"])
def test_views_are_only_read(login, change):
    assert as_login(login, change) == "refused"


def test_what_other_sessions_ask_is_not_shown(log, login):
    with psycopg.connect(log) as other:
        other.execute("SELECT 'a running hand'")
        shown = ask(login, "SELECT query FROM pg_stat_activity WHERE usename = 'carteado'")
    assert shown
    assert {query for (query,) in shown} <= {"<insufficient privilege>"}


def test_statistics_of_the_columns_are_not_shown(log, login):
    with psycopg.connect(log, autocommit=True) as connection:
        connection.execute("ANALYZE")
    assert ask(login, "SELECT * FROM pg_stats WHERE schemaname = 'public'") == []


async def test_views_are_made_once_and_again_when_the_registry_has_changed(log):
    assert not await publish_views(log, registry())
    more = registry()
    more.register("CounterPraised", msgspec.defstruct("Praised", [("words", str)]))
    assert await publish_views(log, more)
    assert ask(log, "SELECT * FROM analysis.counter_praised") == []
    assert not await publish_views(log, more)


async def test_views_of_a_later_release_are_left_by_a_replica_of_the_one_before(log):
    more = registry()
    more.register("CounterPraised", msgspec.defstruct("Praised", [("words", str)]))
    await publish_views(log, more)
    assert not await publish_views(log, registry())
    assert ask(log, "SELECT * FROM analysis.counter_praised") == []


async def test_a_schema_of_that_name_that_is_not_ours_is_left_alone(log_database, caplog):
    with psycopg.connect(log_database, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA analysis")
        connection.execute("CREATE TABLE analysis.mine AS SELECT 1 AS x")
    assert not await publish_views(log_database, registry())
    assert "the schema analysis is somebody else's" in caplog.text
    assert ask(log_database, "SELECT x FROM analysis.mine") == [(1,)]


async def test_many_replicas_make_them_at_once(log_database):
    made = await asyncio.gather(*(publish_views(log_database, registry()) for _ in range(6)))
    assert sorted(made) == [False] * 5 + [True]


async def test_a_long_query_of_an_analyst_holds_up_no_start(log, login, monkeypatch):
    monkeypatch.setattr("libs.eventlog.schema_swap._WAIT_MS", 20)
    more = registry()
    more.register("CounterPraised", msgspec.defstruct("Praised", [("words", str)]))
    with psycopg.connect(login) as reader:
        reader.execute("SELECT * FROM analysis.events").fetchall()
        async with asyncio.timeout(30):
            assert await publish_views(log, more)
        assert len(reader.execute("SELECT * FROM analysis.events").fetchall()) == 4
    assert ask(login, "SELECT * FROM analysis.counter_praised") == []


async def test_without_the_right_to_make_roles_the_views_stand_and_a_warning_says_what_to_do(
    postgres_server, database, monkeypatch, caplog
):
    role = f"carteado_analyst_{secrets.token_hex(4)}"
    monkeypatch.setattr("libs.eventlog.analysts.ANALYST", role)
    owner, password = f"owner_{secrets.token_hex(4)}", secrets.token_hex(8)
    with psycopg.connect(database, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(owner), sql.Literal(password))
        )
        connection.execute(
            sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(name), sql.Identifier(owner))
        )
        mine = make_conninfo(database, user=owner, password=password)
        await migrate(mine)
        assert await publish_views(mine, registry())
        assert f"an administrator must CREATE ROLE {role}" in caplog.text
        assert not await publish_views(mine, registry())
        connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
        assert await publish_views(mine, registry())
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
        assert connection.execute("SELECT * FROM analysis.events").fetchall() == []
        connection.execute("RESET ROLE")
        connection.execute(sql.SQL("ALTER DATABASE {} OWNER TO CURRENT_USER").format(sql.Identifier(name)))
        for gone in (role, owner):
            connection.execute(sql.SQL("DROP OWNED BY {} CASCADE").format(sql.Identifier(gone)))
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(gone)))


async def append(store: PostgresStore, events: EventRegistry, *given: object) -> None:
    write = StreamWrite(
        stream_id("counter", "typed"),
        0,
        tuple(NewEvent(*events.encode(event)) for event in given),
        ends_stream=True,
    )
    await store.append(AppendCommand(str(uuid4()), b"", (write,)))


EVERYTHING = Everything(
    number=2**40,
    seat=3,
    ratio=0.5,
    flag=True,
    word="quote ' backslash \\ ♣",
    moment=datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC),
    day=datetime(2026, 2, 3, tzinfo=UTC).date(),
    price=Decimal("12.50"),
    key=UUID(int=5),
    colour=Colour.BLACK,
    reason="won",
    maybe=None,
    numbers=(1, 2, 3),
    pair=(4, 5),
    words=["a", "b'c"],
    holes=(1, None),
    mixed=(1, "x"),
    nested=(("4C", "5C"), ()),
    card=Card("7"),
    switches={"ironHand": "blind"},
    either="x",
)


async def test_every_kind_of_field_comes_out_as_it_went_in(postgres_store, log_database):
    events: EventRegistry = EventRegistry()
    events.register("any.thing", Everything)
    await append(postgres_store, events, EVERYTHING, msgspec.structs.replace(EVERYTHING, maybe=9, numbers=()))
    await publish_views(log_database, events)
    (view,) = analyst_views(events)
    names = ", ".join(column.name for column in view.columns)
    first, second = ask(log_database, f"SELECT {names} FROM analysis.any_thing ORDER BY version")
    expected = msgspec.structs.asdict(EVERYTHING)
    plain = {
        "colour": "black",
        "numbers": [1, 2, 3],
        "pair": [4, 5],
        "holes": [1, None],
        "mixed": [1, "x"],
        "nested": [["4C", "5C"], []],
        "card": {"rank": "7"},
    }
    assert dict(zip(expected, first, strict=True)) == {**expected, **plain}
    assert dict(zip(expected, second, strict=True)) == {**expected, **plain, "maybe": 9, "numbers": []}


async def test_a_field_that_is_not_stored_has_its_default(postgres_store, log_database):
    class Sparse(msgspec.Struct, frozen=True, omit_defaults=True):
        word: str = "none"
        numbers: tuple[int, ...] = (1, 2)
        maybe: int | None = None
        many: dict[str, int] = msgspec.field(default_factory=dict)

    events: EventRegistry = EventRegistry()
    events.register("sparse", Sparse)
    await append(postgres_store, events, Sparse(), Sparse("some", (), 4, {"a": 1}))
    await publish_views(log_database, events)
    assert ask(log_database, "SELECT word, numbers, maybe, many FROM analysis.sparse ORDER BY version") == [
        ("none", [1, 2], None, {}),
        ("some", [], 4, {"a": 1}),
    ]


async def test_payloads_of_another_version_are_given_as_they_are_and_break_no_query(
    postgres_store, log_database
):
    old: EventRegistry = EventRegistry()
    old.register("Played", Played)
    new: EventRegistry = EventRegistry()
    new.register("Played", PlayedV2, 2, {1: rename})
    write = StreamWrite(
        stream_id("counter", "both"),
        0,
        (NewEvent(*old.encode(Played("4C", 2))), NewEvent(*new.encode(PlayedV2("5C", 3)))),
        ends_stream=True,
    )
    await postgres_store.append(AppendCommand("x", b"", (write,)))
    await publish_views(log_database, new)
    assert ask(
        log_database, "SELECT schema_version, card, place, payload FROM analysis.played ORDER BY version"
    ) == [
        (1, None, None, {"card": "4C", "seat": 2}),
        (2, "5C", 3, {"card": "5C", "place": 3}),
    ]
