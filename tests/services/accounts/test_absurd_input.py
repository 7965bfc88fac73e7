"""Absurd input is refused with its code, soon, and others are answered meanwhile (fault B129)."""

import asyncio
import time
from typing import Any
from uuid import uuid4

import pytest

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import operators_service_pb2 as operators_pb
from carteado.accounts.v1 import profile_service_pb2 as profile_pb
from carteado.accounts.v1 import sessions_service_pb2 as sessions_pb
from carteado.accounts.v1 import social_service_pb2 as social_pb
from tests.services.accounts.actors import Desk

NEARLY_A_MESSAGE = 900_000


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x" * NEARLY_A_MESSAGE, "NAME_TOO_LONG"),
        ("\u0301" * (NEARLY_A_MESSAGE // 2), "NAME_TOO_LONG"),
        ("👨‍👩‍👧" * 40_000, "NAME_TOO_LONG"),
        ("\u202e" * (NEARLY_A_MESSAGE // 3), "NAME_TOO_LONG"),
        ("a" + "\u0301" * 1_000, "NAME_TOO_LONG"),
        ("a" + "\u0301" * 100, "NAME_CHARACTER_REFUSED"),
    ],
)
async def test_an_absurd_name_is_refused_soon(
    accounts: Any, refusal: Any, rows: Any, name: str, code: str
) -> None:
    await accounts.register("Ana")
    began = time.perf_counter()
    answer, others = await asyncio.gather(refusal(accounts.register(name)), accounts.names([str(uuid4())]))
    assert time.perf_counter() - began < 5.0
    assert (answer, others) == (("INVALID_ARGUMENT", code), {})
    assert rows("select count(*) from events") == [(1,)]


@pytest.mark.parametrize(
    "token", ["x" * NEARLY_A_MESSAGE, "rt1." + "A" * NEARLY_A_MESSAGE, "rt1.\0", "é" * 70]
)
async def test_an_absurd_refresh_token_is_refused(accounts: Any, refusal: Any, token: str) -> None:
    assert await refusal(accounts.renew(token)) == ("UNAUTHENTICATED", "TOKEN_REFUSED")


@pytest.mark.parametrize(
    "given",
    ["", "x", "0" * 36, "\u0660" * 36, "147F5C6D-6C4B-432E-A8A3-56A5D67A41D6", "x" * NEARLY_A_MESSAGE],
)
async def test_an_id_that_is_none_is_refused_by_every_method(accounts: Any, refusal: Any, given: str) -> None:
    good = str(uuid4())
    calls = [
        (accounts.stub.GetNames, pb.GetNamesRequest(player_ids=[given])),
        (accounts.stub.RenewToken, pb.RenewTokenRequest(token="x", command_id=given)),
        (accounts.sessions.ListSessions, sessions_pb.ListSessionsRequest(player_id=given)),
        (accounts.sessions.RevokeSession, sessions_pb.RevokeSessionRequest(player_id=given, session_id=good)),
        (accounts.sessions.RevokeSession, sessions_pb.RevokeSessionRequest(player_id=good, session_id=given)),
        (
            accounts.sessions.RevokeOtherSessions,
            sessions_pb.RevokeOtherSessionsRequest(player_id=good, kept_session_id=given),
        ),
        (accounts.profile.GetProfile, profile_pb.GetProfileRequest(player_id=given)),
        (accounts.profile.SetName, profile_pb.SetNameRequest(player_id=given, name="Ana")),
        (accounts.profile.ExportPlayer, profile_pb.ExportPlayerRequest(player_id=given)),
        (accounts.profile.ErasePlayer, profile_pb.ErasePlayerRequest(player_id=given)),
        (accounts.social.ListFriends, social_pb.ListFriendsRequest(player_id=given)),
        (accounts.social.ListBlocks, social_pb.ListBlocksRequest(player_id=given)),
    ]
    for pair in ({"player_id": good, "other_id": given}, {"player_id": given, "other_id": good}):
        calls += [
            (accounts.social.Befriend, social_pb.BefriendRequest(**pair)),
            (accounts.social.Unfriend, social_pb.UnfriendRequest(**pair)),
            (accounts.social.BlockPlayer, social_pb.BlockPlayerRequest(**pair)),
            (accounts.social.UnblockPlayer, social_pb.UnblockPlayerRequest(**pair)),
        ]
    for method, request in calls:
        assert await refusal(accounts.call(method, request)) == ("INVALID_ARGUMENT", "INVALID_ARGUMENT")


async def test_an_absurd_end_of_a_ban_is_refused(accounts: Any, desk: Desk, refusal: Any) -> None:
    ana = await accounts.register("Ana")
    for seconds, nanos in ((2**62, 0), (-(2**62), 0), (0, 2**31 - 1), (0, -1)):
        request = operators_pb.BanPlayerRequest(
            player_id=ana.player_id, operator="zeca", reason=1, note="x", command_id=str(uuid4())
        )
        request.until.seconds, request.until.nanos = seconds, nanos
        status, _ = await refusal(desk.call(desk.stub.BanPlayer, request))
        assert status == "INVALID_ARGUMENT"
