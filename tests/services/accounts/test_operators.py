"""What operators do: a ban with an end and a reason, told to every gateway; the words never in the log."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import nats
import pytest

from carteado.accounts.v1 import accounts_service_pb2 as accounts_pb
from carteado.accounts.v1 import events_pb2
from carteado.accounts.v1 import operators_service_pb2 as pb
from carteado.accounts.v1 import sessions_service_pb2 as sessions_pb
from tests.services.accounts.actors import NOTE, barred, until_barred


async def test_a_banned_player_is_shown_with_reason_words_and_end(accounts, desk):
    ana = await accounts.register("Ana")
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=7)
    await desk.ban(ana.player_id, until)
    shown = await desk.show(name="ANA")
    assert (shown.player_id, shown.name, shown.is_erased) == (ana.player_id, "Ana", False)
    assert shown.open_sessions == 1
    assert shown.ban.until.ToDatetime(UTC) == until
    assert shown.ban.reason == events_pb2.BAN_REASON_ABUSIVE_CHAT
    assert (shown.ban.note, shown.ban.banned_by) == (NOTE, "operator:zeca")


async def test_a_banned_players_session_is_not_renewed_and_good_again_afterwards(accounts, desk, refusal):
    ana = await accounts.register("Ana")
    await desk.ban(ana.player_id)
    refused = ("PERMISSION_DENIED", "PLAYER_BANNED")
    assert await refusal(accounts.renew(ana.session.refresh_token)) == refused
    await desk.unban(ana.player_id)
    await accounts.renew(ana.session.refresh_token)  # the refused renewal has not used it up
    assert not (await desk.show(player_id=ana.player_id)).HasField("ban")


async def test_every_gateway_is_told_of_a_ban_and_of_its_end(accounts, desk):
    ana = await accounts.register("Ana")
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=7)
    await desk.ban(ana.player_id, until)
    one = await until_barred(accounts, ana.player_id)
    assert one.cause == sessions_pb.BARRED_CAUSE_BANNED
    assert one.until.ToDatetime(UTC) == until
    await desk.ban(ana.player_id)  # for ever
    for _ in range(250):
        if not (await barred(accounts))[ana.player_id].HasField("until"):
            break
        await asyncio.sleep(0.02)
    await desk.unban(ana.player_id)
    for _ in range(250):
        if ana.player_id not in await barred(accounts):
            break
        await asyncio.sleep(0.02)
    # Who has asked before is told that it has ended.
    lifted = (await barred(accounts, after=1))[ana.player_id]
    assert lifted.until.ToDatetime(UTC) <= datetime.now(UTC)


async def test_bans_are_published_with_a_code_and_without_words(accounts, desk, nats_url):
    client = await nats.connect(nats_url)
    heard: asyncio.Queue[Any] = asyncio.Queue()
    await client.subscribe("carteado.accounts.*.v1", cb=heard.put)
    await client.flush()
    ana = await accounts.register("Ana")
    await desk.ban(ana.player_id)
    await desk.unban(ana.player_id)
    messages = {}
    async with asyncio.timeout(30):
        while len(messages) < 3:
            message = await heard.get()
            messages[message.subject] = message.data
    banned = events_pb2.PlayerBanned.FromString(messages["carteado.accounts.banned.v1"])
    assert (banned.player_id, banned.reason) == (ana.player_id, events_pb2.BAN_REASON_ABUSIVE_CHAT)
    unbanned = events_pb2.PlayerUnbanned.FromString(messages["carteado.accounts.unbanned.v1"])
    assert unbanned.player_id == ana.player_id
    assert NOTE.encode() not in b"".join(messages.values())
    await client.close()


async def test_the_log_names_the_operator_and_the_note_and_not_its_words(accounts, desk, rows):
    ana = await accounts.register("Ana")
    await desk.ban(ana.player_id)
    ((actor, note_id),) = rows("select actor, payload->>'note_id' from events where type = 'PlayerBanned'")
    assert actor == "operator:zeca"
    assert rows("select note_id::text, note from operator_notes") == [(note_id, NOTE)]
    ((everything,),) = rows("select string_agg(events::text, ' ') from events")
    assert "Xingou" not in everything


async def test_one_ban_given_twice_is_one(accounts, desk, rows):
    ana, command_id = await accounts.register("Ana"), str(uuid4())
    await asyncio.gather(*(desk.ban(ana.player_id, command_id=command_id) for _ in range(5)))
    assert rows("select count(*) from events where type = 'PlayerBanned'") == [(1,)]
    assert rows("select count(*) from operator_notes") == [(1,)]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"note": ""}, "NOTE_REQUIRED"),
        ({"note": "  "}, "NOTE_REQUIRED"),
        ({"note": "x" * 501}, "NOTE_REQUIRED"),
        ({"note": "a\0b"}, "NOTE_REQUIRED"),
        ({"reason": 0}, "INVALID_ARGUMENT"),
        ({"reason": 99}, "INVALID_ARGUMENT"),
        ({"operator": ""}, "INVALID_ARGUMENT"),
        ({"operator": "Zeca da Silva"}, "INVALID_ARGUMENT"),
        ({"command_id": "x"}, "INVALID_ARGUMENT"),
        ({"until": datetime.now(UTC) - timedelta(days=1)}, "BAN_END_IN_THE_PAST"),
    ],
)
async def test_a_ban_without_its_reason_is_none(accounts, desk, rows, refusal, fields, code):
    ana = await accounts.register("Ana")
    assert await refusal(desk.ban(ana.player_id, **fields)) == ("INVALID_ARGUMENT", code)
    assert rows("select count(*) from events") == [(1,)]
    assert rows("select count(*) from operator_notes") == [(0,)]


async def test_who_is_not_there_or_not_banned_is_said_so(accounts, desk, refusal, rows):
    ana = await accounts.register("Ana")
    unknown = ("NOT_FOUND", "PLAYER_NOT_FOUND")
    assert await refusal(desk.ban(str(uuid4()))) == unknown
    assert await refusal(desk.show(player_id=str(uuid4()))) == unknown
    assert await refusal(desk.show(name="Ninguém")) == unknown
    assert await refusal(desk.unban(ana.player_id)) == ("FAILED_PRECONDITION", "NOT_BANNED")
    assert rows("select count(*) from operator_notes") == [(0,)]


async def test_the_gateway_is_no_operator_and_operators_are_no_gateway(accounts, desk, refusal):
    denied = ("PERMISSION_DENIED", "CALLER_NOT_ALLOWED")
    call = accounts.call(accounts.operators.ShowPlayer, pb.ShowPlayerRequest(name="Ana"))
    assert await refusal(call) == denied
    assert await refusal(desk.call(accounts.stub.GetNames, accounts_pb.GetNamesRequest())) == denied
