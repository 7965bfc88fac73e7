"""Who uses accounts in its tests: guests and outside players through a gateway, pairs of players, an operator."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import grpc

from carteado.accounts.v1 import events_pb2, operators_service_pb2, sessions_service_pb2, social_service_pb2
from carteado.accounts.v1.operators_service_pb2_grpc import OperatorsServiceStub
from libs.service.credentials import Credentials
from libs.service.tokens import TokenVerifier

NOTE = "Xingou a mesa inteira ontem à noite"


async def session_id_of(accounts, token: str) -> str:
    return (await TokenVerifier(f"{accounts.http}/.well-known/jwks.json").verify(token)).session_id


async def open_sessions(accounts, player_id: str) -> list[str]:
    listed = await accounts.call(
        accounts.sessions.ListSessions, sessions_service_pb2.ListSessionsRequest(player_id=player_id)
    )
    return [session.session_id for session in listed.sessions]


async def revoke(accounts, player_id: str, session_id: str) -> None:
    request = sessions_service_pb2.RevokeSessionRequest(player_id=player_id, session_id=session_id)
    await accounts.call(accounts.sessions.RevokeSession, request)


async def barred(accounts, after: int = 0) -> dict[str, sessions_service_pb2.Barred]:
    listed = await accounts.call(
        accounts.sessions.ListBarred, sessions_service_pb2.ListBarredRequest(after=after)
    )
    assert not listed.has_more
    return {one.id: one for one in listed.barred}


async def until_barred(accounts, subject_id: str) -> sessions_service_pb2.Barred:
    """The projection follows the log within a moment."""
    for _ in range(250):
        if (found := (await barred(accounts)).get(subject_id)) is not None:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"{subject_id} is let in")


class Outside:
    """Sign-ins of an outside issuer, as a gateway asks for them after it has verified a token."""

    def __init__(self, accounts) -> None:
        self.accounts = accounts

    async def sign_in(
        self, subject: str, session_id: str | None = None, issuer: str = "https://id.example"
    ) -> str:
        request = sessions_service_pb2.SignInRequest(
            issuer=issuer, subject=subject, session_id=session_id or str(uuid4())
        )
        request.expires_at.FromDatetime(datetime.now(UTC) + timedelta(hours=1))
        return (await self.accounts.call(self.accounts.sessions.SignIn, request)).player_id


class People:
    """Two players and what they do about each other."""

    def __init__(self, accounts, ana: str, bia: str) -> None:
        self.accounts = accounts
        self.ana = ana
        self.bia = bia

    async def befriend(self, by: str, other: str) -> int:
        request = social_service_pb2.BefriendRequest(player_id=by, other_id=other)
        return (await self.accounts.call(self.accounts.social.Befriend, request)).status

    async def unfriend(self, by: str, other: str) -> None:
        request = social_service_pb2.UnfriendRequest(player_id=by, other_id=other)
        await self.accounts.call(self.accounts.social.Unfriend, request)

    async def block(self, by: str, other: str) -> None:
        request = social_service_pb2.BlockPlayerRequest(player_id=by, other_id=other)
        await self.accounts.call(self.accounts.social.BlockPlayer, request)

    async def unblock(self, by: str, other: str) -> None:
        request = social_service_pb2.UnblockPlayerRequest(player_id=by, other_id=other)
        await self.accounts.call(self.accounts.social.UnblockPlayer, request)

    async def friends(self, player_id: str) -> dict[str, social_service_pb2.Friend]:
        request = social_service_pb2.ListFriendsRequest(player_id=player_id)
        listed = await self.accounts.call(self.accounts.social.ListFriends, request)
        return {friend.player_id: friend for friend in listed.friends}

    async def status(self, player_id: str, other: str) -> int | None:
        friend = (await self.friends(player_id)).get(other)
        return None if friend is None else friend.status

    async def blocks(self, player_id: str) -> list[tuple[str, str]]:
        request = social_service_pb2.ListBlocksRequest(player_id=player_id)
        listed = await self.accounts.call(self.accounts.social.ListBlocks, request)
        return [(block.player_id, block.name) for block in listed.blocks]


class Desk:
    """An operator at the command `carteado`."""

    def __init__(self, stub: OperatorsServiceStub, credentials: Credentials) -> None:
        self.stub = stub
        self._credentials = credentials

    @classmethod
    def at(cls, opened: grpc.aio.Channel, credentials: Credentials) -> "Desk":
        return cls(OperatorsServiceStub(opened), credentials)

    async def call(self, method: Any, request: Any) -> Any:
        return await method(request, timeout=30, metadata=self._credentials.metadata("accounts"))

    async def ban(self, player_id: str, until: datetime | None = None, **fields: Any) -> None:
        asked = {
            "operator": "zeca",
            "reason": events_pb2.BAN_REASON_ABUSIVE_CHAT,
            "note": NOTE,
            "command_id": str(uuid4()),
            **fields,
        }
        request = operators_service_pb2.BanPlayerRequest(player_id=player_id, **asked)
        if until is not None:
            request.until.FromDatetime(until)
        await self.call(self.stub.BanPlayer, request)

    async def unban(self, player_id: str, **fields: Any) -> None:
        asked = {"operator": "zeca", "note": "Foi engano", "command_id": str(uuid4()), **fields}
        await self.call(
            self.stub.UnbanPlayer, operators_service_pb2.UnbanPlayerRequest(player_id=player_id, **asked)
        )

    async def show(self, **player: str) -> operators_service_pb2.ShowPlayerResponse:
        return await self.call(self.stub.ShowPlayer, operators_service_pb2.ShowPlayerRequest(**player))
