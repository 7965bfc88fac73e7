"""Two processes of accounts on one database: they are one service, also when one of them is killed."""

import asyncio
import signal
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import grpc
import pytest

from libs.eventlog.inspect import ReplayChecks, verify_log
from libs.eventlog.postgres import PostgresStore
from services.accounts.decider import PLAYER
from services.accounts.events import pair_events, player_events
from services.accounts.pair import PAIR
from tests.services.accounts.actors import People, open_sessions, revoke, session_id_of
from tests.services.accounts.conftest import free_address
from tests.services.accounts.test_process import Process

pytestmark = [pytest.mark.e2e, pytest.mark.fault]


@pytest.fixture
async def pair(environ: dict[str, str], client_class: Any) -> AsyncIterator[tuple[Process, Process]]:
    other = {
        **environ,
        "CARTEADO_ACCOUNTS_GRPC": free_address(),
        "CARTEADO_ACCOUNTS_HTTP": free_address(),
    }
    processes = Process(environ, client_class), Process(other, client_class)
    yield processes
    for process in processes:
        await process.stop()


async def test_two_that_start_at_once_on_an_empty_database_both_serve(pair: tuple[Process, Process]) -> None:
    first, second = await asyncio.gather(*(process.start() for process in pair))
    ana = await first.register("Ana")
    assert await second.names([ana.player_id]) == {ana.player_id: "Ana"}


async def test_a_name_is_one_persons_over_two_replicas(pair: tuple[Process, Process]) -> None:
    clients = await asyncio.gather(*(process.start() for process in pair))
    attempts = await asyncio.gather(
        *(clients[number % 2].register("Ana Maria") for number in range(30)), return_exceptions=True
    )
    assert sum(not isinstance(attempt, grpc.aio.AioRpcError) for attempt in attempts) == 1


async def test_a_refresh_token_works_once_over_two_replicas(
    pair: tuple[Process, Process], refusal: Any
) -> None:
    """Fault B126."""
    first, second = await asyncio.gather(*(process.start() for process in pair))
    ana = await first.register("Ana")
    renewed = await second.renew(ana.session.refresh_token)
    refused = ("UNAUTHENTICATED", "TOKEN_REFUSED")
    assert await refusal(first.renew(ana.session.refresh_token)) == refused
    assert await refusal(second.renew(renewed.session.refresh_token)) == refused


async def test_what_was_answered_stands_when_a_replica_is_killed_in_the_middle(
    pair: tuple[Process, Process], clean_postgres: str, refusal: Any
) -> None:
    first, second = await asyncio.gather(*(process.start() for process in pair))
    guests = [await first.register(f"Jogador {number}") for number in range(22, 32)]
    people = People(first, guests[0].player_id, guests[1].player_id)
    acknowledged: list[tuple[str, str]] = []
    is_under_way = asyncio.Event()

    async def befriend_and_sign_out(number: int) -> None:
        one, other = guests[number], guests[(number + 1) % len(guests)]
        await people.befriend(one.player_id, other.player_id)
        acknowledged.append((one.player_id, other.player_id))
        await revoke(first, one.player_id, await session_id_of(second, one.session.token))
        acknowledged.append((one.player_id, ""))
        is_under_way.set()

    acting = asyncio.gather(*(befriend_and_sign_out(number) for number in range(10)), return_exceptions=True)
    await is_under_way.wait()
    await pair[0].stop(signal.SIGKILL)
    await acting
    later = People(second, people.ana, people.bia)
    for _ in range(100):  # The projection of the replica that lives catches up.
        listed = {player_id: await later.friends(player_id) for player_id, _ in acknowledged}
        if all(other in listed[player_id] for player_id, other in acknowledged if other):
            break
        await asyncio.sleep(0.05)
    for player_id, other in acknowledged:
        if other:
            assert other in listed[player_id]
        else:
            assert await open_sessions(second, player_id) == []
    store = PostgresStore(f"{clean_postgres} dbname=carteado_accounts")
    checks = {"player": ReplayChecks(PLAYER, player_events()), "pair": ReplayChecks(PAIR, pair_events())}
    assert (await verify_log(store, checks)).findings == ()
    await store.close()


async def test_a_registration_cut_by_a_kill_is_completed_by_its_repetition(
    pair: tuple[Process, Process], rows: Any
) -> None:
    first, second = await asyncio.gather(*(process.start() for process in pair))
    wishes = {str(uuid4()): f"Jogador {number}" for number in range(22, 62)}
    acting = asyncio.gather(
        *(first.register(name, key) for key, name in wishes.items()), return_exceptions=True
    )
    await asyncio.sleep(0.05)
    await pair[0].stop(signal.SIGKILL)
    outcomes = await asyncio.gather(*acting, return_exceptions=True)
    answered = [one for one in outcomes if not isinstance(one, BaseException)]
    guests = [await second.register(name, key) for key, name in wishes.items()]
    ids = {guest.player_id for guest in guests}
    assert {guest.player_id for guest in answered} <= ids
    assert len(ids) == len(wishes)
    assert rows("select count(*) from events where type = 'PlayerRegistered'") == [(len(wishes),)]
    assert (
        rows("select count(*) from display_names")
        == rows("select count(*) from name_claims")
        == [(len(wishes),)]
    )
