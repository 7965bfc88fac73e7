"""A player's own account over HTTP: sessions, name, friends, blocks, the export of their data, and their erasure.

Who the player is comes from the token alone; no address and no body names them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from aiohttp import web

from carteado.accounts.v1 import profile_service_pb2, sessions_service_pb2, social_service_pb2
from carteado.accounts.v1.profile_service_pb2_grpc import ProfileServiceStub
from carteado.accounts.v1.sessions_service_pb2_grpc import SessionsServiceStub
from carteado.accounts.v1.social_service_pb2_grpc import SocialServiceStub
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls, Method
from services.gateway.errors import ERASURE_NOT_CONFIRMED, RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.rate import Buckets
from services.gateway.requests import JSON_HEADERS, Requests, Verify, json_response, uuid_in_path

Request = TypeVar("Request")
Response = TypeVar("Response")

_STATUSES: Mapping[int, str] = {
    social_service_pb2.FRIEND_STATUS_FRIENDS: "friends",
    social_service_pb2.FRIEND_STATUS_ASKED: "asked",
    social_service_pb2.FRIEND_STATUS_ASKED_BY_OTHER: "asked_by_other",
}
_PRESENCES: Mapping[int, str] = {
    social_service_pb2.PRESENCE_ONLINE: "online",
    social_service_pb2.PRESENCE_OFFLINE: "offline",
}


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `PUT /api/v1/me/name`."""

    name: str


class Erasure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `DELETE /api/v1/me`: the player's own id, so that nobody does it by accident."""

    confirm: str


class AccountApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(self, calls: Calls, verify: Verify, limits: Limits) -> None:
        """`verify` gives None for a token that is not valid."""
        self._calls = calls
        self._requests = Requests(verify, limits)
        self._rate = Buckets(limits.account_calls_per_s, limits.account_calls_burst)

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.delete("/api/v1/session", self.sign_out),
            web.get("/api/v1/sessions", self.get_sessions),
            web.delete("/api/v1/sessions", self.end_other_sessions),
            web.delete("/api/v1/sessions/{session_id}", self.end_session),
            web.get("/api/v1/me", self.get_me),
            web.delete("/api/v1/me", self.erase_me),
            web.put("/api/v1/me/name", self.set_name),
            web.get("/api/v1/me/export", self.export_me),
            web.get("/api/v1/players/by-name", self.find_player),
            web.get("/api/v1/friends", self.get_friends),
            web.put("/api/v1/friends/{player_id}", self.befriend),
            web.delete("/api/v1/friends/{player_id}", self.unfriend),
            web.get("/api/v1/blocks", self.get_blocks),
            web.put("/api/v1/blocks/{player_id}", self.block),
            web.delete("/api/v1/blocks/{player_id}", self.unblock),
        ]

    async def sign_out(self, request: web.Request) -> web.Response:
        """Ends the session of the token that asks."""
        player = await self._player(request)
        await self._revoke(player, player.session_id)
        return json_response({})

    async def get_sessions(self, request: web.Request) -> web.Response:
        """Where the player is signed in, the last used first."""
        player = await self._player(request)
        listed = await self._call(
            player,
            lambda channel: SessionsServiceStub(channel).ListSessions,
            sessions_service_pb2.ListSessionsRequest(player_id=player.player_id),
        )
        sessions = [
            {
                "session_id": session.session_id,
                "opened_at": session.opened_at.ToJsonString(),
                "renewed_at": session.renewed_at.ToJsonString(),
                "expires_at": session.expires_at.ToJsonString(),
                "is_current": session.session_id == player.session_id,
            }
            for session in listed.sessions
        ]
        return json_response({"sessions": sessions})

    async def end_other_sessions(self, request: web.Request) -> web.Response:
        """Ends every session of the player but the one that asks."""
        player = await self._player(request)
        ended = await self._call(
            player,
            lambda channel: SessionsServiceStub(channel).RevokeOtherSessions,
            sessions_service_pb2.RevokeOtherSessionsRequest(
                player_id=player.player_id, kept_session_id=player.session_id
            ),
        )
        return json_response({"ended": ended.ended})

    async def end_session(self, request: web.Request) -> web.Response:
        """Ends one of the player's sessions."""
        player = await self._player(request)
        await self._revoke(player, uuid_in_path(request, "session_id"))
        return json_response({})

    async def get_me(self, request: web.Request) -> web.Response:
        """The player's own account; `name` is null until one was chosen."""
        player = await self._player(request)
        profile = await self._call(
            player,
            lambda channel: ProfileServiceStub(channel).GetProfile,
            profile_service_pb2.GetProfileRequest(player_id=player.player_id),
        )
        name = profile.name if profile.HasField("name") else None
        return json_response({"player_id": profile.player_id, "name": name})

    async def erase_me(self, request: web.Request) -> web.Response:
        """Deletes the player's personal data for ever."""
        player = await self._player(request)
        body = await self._requests.body(request, Erasure)
        if body.confirm != player.player_id:
            raise ERASURE_NOT_CONFIRMED.error("confirm")
        await self._call(
            player,
            lambda channel: ProfileServiceStub(channel).ErasePlayer,
            profile_service_pb2.ErasePlayerRequest(player_id=player.player_id),
        )
        return json_response({})

    async def set_name(self, request: web.Request) -> web.Response:
        """Gives the player another name; a taken one is answered with one that is free."""
        player = await self._player(request)
        body = await self._requests.body(request, NewName)
        kept = await self._call(
            player,
            lambda channel: ProfileServiceStub(channel).SetName,
            profile_service_pb2.SetNameRequest(player_id=player.player_id, name=body.name),
        )
        return json_response({"name": kept.name})

    async def export_me(self, request: web.Request) -> web.Response:
        """All that accounts knows of the player."""
        player = await self._player(request)
        exported = await self._call(
            player,
            lambda channel: ProfileServiceStub(channel).ExportPlayer,
            profile_service_pb2.ExportPlayerRequest(player_id=player.player_id),
        )
        return web.Response(
            body=exported.json, content_type="application/json", charset="utf-8", headers=JSON_HEADERS
        )

    async def find_player(self, request: web.Request) -> web.Response:
        """The player who has a name."""
        player = await self._player(request)
        found = await self._call(
            player,
            lambda channel: ProfileServiceStub(channel).FindPlayer,
            profile_service_pb2.FindPlayerRequest(name=request.query.get("name", "")),
        )
        return json_response({"player_id": found.player_id, "name": found.name})

    async def get_friends(self, request: web.Request) -> web.Response:
        """The player's friends with their presence, and requests without an answer."""
        player = await self._player(request)
        listed = await self._call(
            player,
            lambda channel: SocialServiceStub(channel).ListFriends,
            social_service_pb2.ListFriendsRequest(player_id=player.player_id),
        )
        friends = [
            {
                "player_id": friend.player_id,
                "name": friend.name or None,
                "status": _STATUSES[friend.status],
                "since": friend.since.ToJsonString(),
                "presence": _PRESENCES.get(friend.presence),
            }
            for friend in listed.friends
        ]
        return json_response({"friends": friends})

    async def befriend(self, request: web.Request) -> web.Response:
        """Asks another player for friendship, or accepts their request."""
        player = await self._player(request)
        answer = await self._call(
            player,
            lambda channel: SocialServiceStub(channel).Befriend,
            social_service_pb2.BefriendRequest(
                player_id=player.player_id, other_id=uuid_in_path(request, "player_id")
            ),
        )
        return json_response({"status": _STATUSES[answer.status]})

    async def unfriend(self, request: web.Request) -> web.Response:
        """Ends a friendship, declines a request, or takes one back."""
        player = await self._player(request)
        await self._call(
            player,
            lambda channel: SocialServiceStub(channel).Unfriend,
            social_service_pb2.UnfriendRequest(
                player_id=player.player_id, other_id=uuid_in_path(request, "player_id")
            ),
        )
        return json_response({})

    async def get_blocks(self, request: web.Request) -> web.Response:
        """Whom the player blocks."""
        player = await self._player(request)
        listed = await self._call(
            player,
            lambda channel: SocialServiceStub(channel).ListBlocks,
            social_service_pb2.ListBlocksRequest(player_id=player.player_id),
        )
        blocks = [
            {
                "player_id": block.player_id,
                "name": block.name or None,
                "since": block.since.ToJsonString(),
            }
            for block in listed.blocks
        ]
        return json_response({"blocks": blocks})

    async def block(self, request: web.Request) -> web.Response:
        """Blocks another player; a friendship ends."""
        player = await self._player(request)
        await self._call(
            player,
            lambda channel: SocialServiceStub(channel).BlockPlayer,
            social_service_pb2.BlockPlayerRequest(
                player_id=player.player_id, other_id=uuid_in_path(request, "player_id")
            ),
        )
        return json_response({})

    async def unblock(self, request: web.Request) -> web.Response:
        """Takes a block back."""
        player = await self._player(request)
        await self._call(
            player,
            lambda channel: SocialServiceStub(channel).UnblockPlayer,
            social_service_pb2.UnblockPlayerRequest(
                player_id=player.player_id, other_id=uuid_in_path(request, "player_id")
            ),
        )
        return json_response({})

    async def _revoke(self, player: VerifiedPlayer, session_id: str) -> None:
        await self._call(
            player,
            lambda channel: SessionsServiceStub(channel).RevokeSession,
            sessions_service_pb2.RevokeSessionRequest(player_id=player.player_id, session_id=session_id),
        )

    async def _player(self, request: web.Request) -> VerifiedPlayer:
        """Who asks, within the bound of what one player may ask."""
        player = await self._requests.player(request)
        if not self._rate.take(player.player_id, asyncio.get_running_loop().time()):
            raise RATE_LIMITED.error()
        return player

    async def _call(
        self, player: VerifiedPlayer, method: Method[Request, Response], request: Request
    ) -> Response:
        return await self._calls.call("accounts", player.player_id, method, request)
