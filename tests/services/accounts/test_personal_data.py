"""All that is known of a person can be given to them, and deleted; every stream replays all the same."""

import json
from uuid import uuid4

import psycopg

from carteado.accounts.v1 import operators_service_pb2 as operators_pb
from carteado.accounts.v1 import profile_service_pb2 as pb
from libs.eventlog.inspect import ReplayChecks, verify_log
from libs.eventlog.migrations import find_migrations, migrate
from libs.eventlog.postgres import PostgresStore
from services.accounts.decider import PLAYER
from services.accounts.events import pair_events, player_events
from services.accounts.housekeeping import clean_up
from services.accounts.name_keys import KEYS_VERSION
from services.accounts.name_store import NameStore
from services.accounts.pair import PAIR
from services.accounts.tables import PlainTables, migrate_tables
from tests.services.accounts.actors import (
    NOTE,
    Desk,
    Outside,
    People,
    revoke,
    session_id_of,
    until_barred,
)

PLAIN_TABLES = ("display_names", "sessions", "sign_in_subjects", "operator_notes")


async def export(accounts, player_id: str) -> dict:
    exported = await accounts.call(accounts.profile.ExportPlayer, pb.ExportPlayerRequest(player_id=player_id))
    return json.loads(exported.json)


async def erase(accounts, player_id: str) -> None:
    await accounts.call(accounts.profile.ErasePlayer, pb.ErasePlayerRequest(player_id=player_id))


async def test_a_player_gets_all_that_is_known_of_them(accounts, people: People, desk: Desk):
    ana, bia = people.ana, people.bia
    await people.befriend(ana, bia)
    await people.befriend(bia, ana)
    cida = await accounts.register("Cida")
    await people.block(ana, cida.player_id)
    await desk.ban(ana)
    exported = await export(accounts, ana)
    assert exported["player_id"] == ana
    assert exported["name"] == "Ana"
    assert [session["issuer"] for session in exported["sessions"]] == ["carteado-local"]
    assert [(friend["player_id"], friend["status"]) for friend in exported["friends"]] == [(bia, "friends")]
    assert [block["player_id"] for block in exported["blocks"]] == [cida.player_id]
    assert [(note["note"], note["written_by"]) for note in exported["operators_notes"]] == [
        (NOTE, "operator:zeca")
    ]
    assert [fact["type"] for fact in exported["log"]] == ["PlayerRegistered", "PlayerBanned"]


async def test_an_export_holds_every_column_in_which_something_of_the_player_stands(
    accounts, outside: Outside, desk: Desk, rows
):
    """A new table with a player in it must come into the export, and into the erasure."""
    with_player = {
        table
        for (table,) in rows(
            "select table_name from information_schema.columns where table_schema = 'public' "
            "and column_name = 'player_id'"
        )
    }
    assert with_player == {*PLAIN_TABLES, "name_claims"}


async def test_nothing_of_an_erased_person_is_left_in_any_table(
    accounts, people: People, desk: Desk, outside: Outside, rows
):
    player_id = await outside.sign_in("auth0|marivaldo")
    request = pb.SetNameRequest(player_id=player_id, name="Marivaldo")
    await accounts.call(accounts.profile.SetName, request)
    await people.befriend(people.ana, player_id)
    await people.befriend(player_id, people.ana)
    await desk.ban(player_id)
    await desk.unban(player_id)
    await erase(accounts, player_id)
    for table in PLAIN_TABLES:
        assert rows(f"select count(*) from {table} where player_id = '{player_id}'") == [(0,)]
    assert rows(f"select count(*) from name_claims where player_id = '{player_id}'") == [(0,)]
    tables = rows(
        "select table_schema, table_name from information_schema.tables where table_type = 'BASE TABLE'"
    )
    for schema, table in tables:
        if schema not in {"pg_catalog", "information_schema"}:
            everything = rows(f"select coalesce(string_agg(t::text, ' '), '') from {schema}.{table} t")[0][0]
            assert "Marivaldo" not in everything
            assert "marivaldo" not in everything
            assert NOTE not in everything


async def test_after_an_erasure_every_stream_still_replays(
    accounts, people: People, desk: Desk, clean_postgres
):
    await people.befriend(people.ana, people.bia)
    await people.befriend(people.bia, people.ana)
    await desk.ban(people.ana)
    await erase(accounts, people.ana)
    store = PostgresStore(f"{clean_postgres} dbname=carteado_accounts")
    checks = {"player": ReplayChecks(PLAYER, player_events()), "pair": ReplayChecks(PAIR, pair_events())}
    verified = await verify_log(store, checks)
    await store.close()
    assert verified.findings == ()
    assert verified.streams == 3


async def test_who_was_erased_is_nobody_any_more(accounts, people: People, refusal):
    ana, bia = people.ana, people.bia
    await people.befriend(ana, bia)
    await people.befriend(bia, ana)
    guest = await accounts.register("Marivaldo")
    session_id = await session_id_of(accounts, guest.session.token)
    await erase(accounts, ana)
    await erase(accounts, ana)  # asked again, it is done
    gone = ("FAILED_PRECONDITION", "PLAYER_ERASED")
    assert await accounts.names([ana]) == {}
    assert await refusal(export(accounts, ana)) == gone
    assert await refusal(people.befriend(bia, ana)) == gone
    assert await refusal(people.block(bia, ana)) == gone
    await until_barred(accounts, ana)
    assert await people.friends(bia) == {}
    await erase(accounts, guest.player_id)
    assert await refusal(accounts.renew(guest.session.refresh_token)) == ("UNAUTHENTICATED", "TOKEN_REFUSED")
    assert await refusal(revoke(accounts, guest.player_id, session_id)) == ("NOT_FOUND", "SESSION_NOT_FOUND")


async def test_an_erased_name_is_held_for_a_while_and_then_free(accounts, refusal, rows):
    ana = await accounts.register("Ana")
    await erase(accounts, ana.player_id)
    assert await refusal(accounts.register("Aná")) == ("ALREADY_EXISTS", "NAME_TAKEN")
    assert rows("select player_id from name_claims") == [(None,)]  # and does not say whose it was
    rows("update name_claims set held_until = now() - interval '1 second' returning key")
    assert (await accounts.register("Aná")).player_id != ana.player_id


async def test_an_erased_guest_does_not_come_back_under_the_old_id(accounts, refusal):
    command_id = str(uuid4())
    ana = await accounts.register("Ana", command_id)
    await erase(accounts, ana.player_id)
    refused = ("FAILED_PRECONDITION", "PLAYER_ERASED")
    assert await refusal(accounts.register("Outra Ana", command_id)) == refused
    assert await accounts.names([ana.player_id]) == {}


async def test_an_erased_subject_signs_in_as_somebody_new(accounts, outside: Outside):
    first = await outside.sign_in("auth0|ana")
    await erase(accounts, first)
    assert await outside.sign_in("auth0|ana") != first


async def test_a_ban_is_not_escaped_by_an_erasure(accounts, outside: Outside, desk: Desk, refusal, rows):
    player_id = await outside.sign_in("auth0|ana")
    await desk.ban(player_id)
    await erase(accounts, player_id)
    assert await refusal(outside.sign_in("auth0|ana")) == ("PERMISSION_DENIED", "PLAYER_BANNED")
    ((everything,),) = rows("select string_agg(barred_subjects::text, ' ') from barred_subjects")
    assert "ana" not in everything
    assert player_id not in everything


async def test_an_operator_exports_and_erases_and_the_log_says_who(accounts, desk: Desk, rows, refusal):
    ana = await accounts.register("Ana")
    ask = operators_pb.ExportAccountRequest(player_id=ana.player_id, operator="zeca")
    exported = await desk.call(desk.stub.ExportAccount, ask)
    assert json.loads(exported.json)["name"] == "Ana"
    await desk.call(
        desk.stub.EraseAccount, operators_pb.EraseAccountRequest(player_id=ana.player_id, operator="zeca")
    )
    assert rows("select actor from events where type = 'PlayerErased'") == [("operator:zeca",)]
    shown = await desk.show(player_id=ana.player_id)
    assert (shown.is_erased, shown.name) == (True, "")
    nobody = operators_pb.EraseAccountRequest(player_id=ana.player_id, operator="")
    refused = ("INVALID_ARGUMENT", "INVALID_ARGUMENT")
    assert await refusal(desk.call(desk.stub.EraseAccount, nobody)) == refused


async def test_what_a_crash_left_of_an_erased_person_is_deleted_later(accounts, clean_postgres, rows):
    ana = await accounts.register("Ana")
    await erase(accounts, ana.player_id)
    await until_barred(accounts, ana.player_id)
    rows(f"insert into display_names (player_id, name) values ('{ana.player_id}', 'Ana') returning 1")
    erased = []

    async def note(player_id: str) -> None:
        erased.append(player_id)

    tables = PlainTables(f"{clean_postgres} dbname=carteado_accounts")
    await clean_up(tables, note)
    assert erased == [ana.player_id]
    await tables.close()


async def test_what_has_had_its_time_is_deleted(accounts, clean_postgres, rows):
    await accounts.register("Ana")
    bia = await accounts.register("Bia")
    await erase(accounts, bia.player_id)
    rows("update sessions set expires_at = now() - interval '91 days' returning 1")
    rows(
        "update name_claims set held_until = now() - interval '1 second' where player_id is null returning 1"
    )
    rows(
        "insert into barred_subjects values ('\\x00', now() - interval '1 second'), ('\\x01', null) returning 1"
    )
    tables = PlainTables(f"{clean_postgres} dbname=carteado_accounts")

    async def nobody(_player_id: str) -> None:
        raise AssertionError("nobody was left")

    await clean_up(tables, nobody)
    await tables.close()
    assert rows("select count(*) from sessions") == [(0,)]
    assert rows("select count(*) from name_claims") == [(1,)]
    assert rows("select until from barred_subjects") == [(None,)]


async def test_the_names_of_before_there_were_claims_are_claimed_at_start(clean_postgres):
    """A database of the release before: two players with the same name, as it was possible then."""
    with psycopg.connect(clean_postgres, dbname="postgres", autocommit=True) as connection:
        connection.execute("create database carteado_accounts")
    conninfo = f"{clean_postgres} dbname=carteado_accounts"
    await migrate(conninfo, "accounts", find_migrations("services.accounts.migrations")[:1])
    first, second = uuid4(), uuid4()
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(
            "insert into display_names values (%s, 'Ana', now()), (%s, 'ANA', now() + interval '1 second')",
            (first, second),
        )
    await migrate_tables(conninfo)
    tables = PlainTables(conninfo)
    names = NameStore(tables)
    await names.key_all()
    await names.key_all()
    kept = await names.names([str(first), str(second)])
    assert kept[str(first)] == "Ana"
    assert kept[str(second)].startswith("ANA ")
    assert (await names.find("ana"))[0] == str(first)
    with psycopg.connect(conninfo) as connection:
        assert connection.execute("select count(*) from name_claims").fetchone() == (2,)
        assert connection.execute("select min(keys_version) from display_names").fetchone() == (KEYS_VERSION,)
    await tables.close()
