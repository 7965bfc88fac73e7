"""The projection of accounts: built anew from the log it has the same rows, in whatever order partitions come."""

from typing import Any
from uuid import uuid4

import psycopg

from libs.eventlog.rebuild import rebuild
from services.accounts.standing import STANDING
from tests.services.accounts.actors import Desk, People, revoke, session_id_of, until_barred

RELATIONS = "select player_id, other_id, status, since, blocked_at, version from {}.relations order by 1, 2"
BARRED = "select id, cause, until from {}.barred order by 1"


async def test_a_rebuild_gives_the_same_rows(
    accounts: Any, people: People, desk: Desk, rows: Any, clean_postgres: str
) -> None:
    ana, bia = people.ana, people.bia
    cida = await accounts.register("Cida")
    await people.befriend(ana, bia)
    await people.befriend(bia, ana)
    await people.befriend(cida.player_id, ana)
    await people.block(bia, cida.player_id)
    await revoke(accounts, cida.player_id, await session_id_of(accounts, cida.session.token))
    await desk.ban(ana)
    await until_barred(accounts, ana)
    before = [rows(query.format(STANDING.schema)) for query in (RELATIONS, BARRED)]
    assert [len(found) for found in before] == [5, 2]
    done = await rebuild(f"{clean_postgres} dbname=carteado_accounts", STANDING)
    assert done.events == rows("select count(*) from events")[0][0]
    assert [rows(query.format(STANDING.schema)) for query in (RELATIONS, BARRED)] == before
    assert await people.status(ana, bia) is not None


async def test_who_was_erased_stays_out_of_lists_also_when_their_events_are_applied_last(
    people: People, rows: Any, clean_postgres: str
) -> None:
    """Partitions are applied in any order: a pair's rows may come after the erasure of one of the two."""
    player_id = str(uuid4())
    with psycopg.connect(clean_postgres, dbname="carteado_accounts", autocommit=True) as connection:
        connection.execute(
            f"insert into {STANDING.schema}.barred values (%s, 'erased', now(), now())",
            (player_id,),
        )
        for one, other in ((people.ana, player_id), (player_id, people.ana)):
            connection.execute(
                f"insert into {STANDING.schema}.relations values (%s, %s, 'friends', now(), now(), 1)",
                (one, other),
            )
    assert await people.friends(people.ana) == {}
    assert await people.blocks(people.ana) == []
