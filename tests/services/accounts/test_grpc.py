"""What accounts answers over gRPC, on real Postgres."""

import asyncio
from uuid import uuid4

import aiohttp
import pytest

from carteado.accounts.v1 import accounts_service_pb2 as pb
from libs.service.tokens import TokenVerifier


async def test_a_guest_gets_an_id_a_name_and_a_token_that_a_gateway_can_verify(accounts):
    guest = await accounts.register("  Jose\u0301 da Silva ")
    assert guest.name == "José da Silva"
    verifier = TokenVerifier(f"{accounts.http}/.well-known/jwks.json")
    player = await verifier.verify(guest.session.token)
    assert player.player_id == guest.player_id
    assert int(player.expires_at.timestamp()) == guest.session.expires_at.seconds
    assert await accounts.names([guest.player_id]) == {guest.player_id: "José da Silva"}


async def test_the_same_command_for_another_name_is_refused(accounts, refusal):
    command_id = str(uuid4())
    guest = await accounts.register("Ana", command_id)
    assert await refusal(accounts.register("Bia", command_id)) == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")
    assert await accounts.names([guest.player_id]) == {guest.player_id: "Ana"}


async def test_one_command_given_many_times_at_once_is_one_guest(accounts, rows):
    command_id = str(uuid4())
    guests = await asyncio.gather(*(accounts.register("Ana", command_id) for _ in range(20)))
    assert len({guest.player_id for guest in guests}) == 1
    assert rows("select count(*) from events") == [(1,)]


async def test_a_registration_cut_between_the_log_and_the_name_is_completed_by_its_repetition(accounts, rows):
    command_id = str(uuid4())
    guest = await accounts.register("Ana", command_id)
    rows("delete from display_names returning player_id")
    assert await accounts.names([guest.player_id]) == {}
    assert (await accounts.register("Ana", command_id)).player_id == guest.player_id
    assert await accounts.names([guest.player_id]) == {guest.player_id: "Ana"}


async def test_the_log_holds_ids_and_never_a_name(accounts, rows):
    await accounts.register("Marivaldo")
    ((everything,),) = rows("select string_agg(events::text, ' ') from events")
    assert "PlayerRegistered" in everything
    assert "Marivaldo" not in everything
    assert rows("select name from display_names") == [("Marivaldo",)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x", "NAME_TOO_SHORT"),
        ("x" * 21, "NAME_TOO_LONG"),
        ("a\0b", "NAME_CHARACTER_REFUSED"),
        ("Jo\u200bsé", "NAME_CHARACTER_REFUSED"),
        ("J\u043esé", "NAME_MIXES_SCRIPTS"),
    ],
)
async def test_a_refused_name_reaches_neither_log_nor_table(accounts, rows, name, code, refusal):
    assert await refusal(accounts.register(name)) == ("INVALID_ARGUMENT", code)
    assert rows("select count(*) from events") == [(0,)]
    assert (await accounts.register("Ana")).name == "Ana"


@pytest.mark.parametrize(
    "command_id",
    ["", "x", "0" * 32, "6A1C4A8E-5A0E-4B0F-9D5C-2F6F0C6E7D11", "{6a1c4a8e-5a0e-4b0f-9d5c-2f6f0c6e7d11}"],
)
async def test_a_command_id_has_one_spelling(accounts, command_id, refusal):
    assert await refusal(accounts.register("Ana", command_id)) == ("INVALID_ARGUMENT", "INVALID_ARGUMENT")


async def test_names_of_many_are_given_in_the_order_asked_and_unknown_ones_left_out(accounts):
    ana, bia = await accounts.register("Ana"), await accounts.register("Bia")
    request = [bia.player_id, str(uuid4()), ana.player_id, bia.player_id]
    assert list((await accounts.names(request)).items()) == [
        (bia.player_id, "Bia"),
        (ana.player_id, "Ana"),
    ]
    assert await accounts.names([]) == {}
    assert await accounts.names([str(uuid4()) for _ in range(100)]) == {}


async def test_names_of_more_than_a_hundred_or_of_no_ids_are_refused(accounts, refusal):
    invalid = ("INVALID_ARGUMENT", "INVALID_ARGUMENT")
    assert await refusal(accounts.names([str(uuid4()) for _ in range(101)])) == invalid
    assert await refusal(accounts.names(["'; drop table events; --"])) == invalid


async def test_a_players_token_opens_nothing_inside(accounts, refusal):
    guest = await accounts.register("Ana")
    bearer = (("authorization", f"Bearer {guest.session.token}"),)
    as_service = (("authorization", f"Service {guest.session.token}"),)
    for metadata in (bearer, as_service):
        call = accounts.stub.GetNames(pb.GetNamesRequest(), timeout=30, metadata=metadata)
        assert await refusal(call) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


async def test_metrics_tell_of_commands_and_calls(accounts):
    await accounts.register("Ana")
    timeout = aiohttp.ClientTimeout(total=5)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{accounts.http}/metrics") as response,
    ):
        text = await response.text()
    assert 'carteado_commands_total{category="player",code="",result="committed"} 1.0' in text
    assert (
        'carteado_grpc_requests_total{code="OK",method="/carteado.accounts.v1.AccountsService/RegisterGuest"} 1.0'
        in text
    )
    assert "Ana" not in text
