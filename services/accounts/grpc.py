"""The gRPC face of accounts: requests checked for form, handed on, and answered in the contracts' words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from carteado.accounts.v1 import operators_service_pb2 as operators_pb
from carteado.accounts.v1 import operators_service_pb2_grpc as operators_rpc
from carteado.accounts.v1 import profile_service_pb2 as profile_pb
from carteado.accounts.v1 import profile_service_pb2_grpc as profile_rpc
from carteado.accounts.v1 import sessions_service_pb2 as sessions_pb
from carteado.accounts.v1 import sessions_service_pb2_grpc as sessions_rpc
from carteado.accounts.v1 import social_service_pb2 as social_pb
from carteado.accounts.v1 import social_service_pb2_grpc as social_rpc
from libs.eventlog.text import is_storable
from libs.service.errors import INVALID_ARGUMENT
from libs.service.tokens import LOCAL_ISSUER
from services.accounts.barred import BarredList, Cause
from services.accounts.edge import uuid_of
from services.accounts.errors import GUESTS_NOT_OFFERED, PLAYER_NOT_FOUND
from services.accounts.events import BanReason
from services.accounts.issuer import Issuer
from services.accounts.name_store import NameStore
from services.accounts.operators import Operators, operator_actor
from services.accounts.personal_data import PersonalData
from services.accounts.presence import PresenceBook
from services.accounts.public import BAN_REASONS, timestamp
from services.accounts.registration import Registration, accepted_name
from services.accounts.relations import Status
from services.accounts.sessions import Granted, Sessions
from services.accounts.social import Social

MAX_IDS = 100
_MAX_CHARS = 255

_PACKAGE = "/carteado.accounts.v1."
_GATEWAY = frozenset({"gateway"})
_CLI = frozenset({"cli"})


def _allow(service: str, callers: Collection[str], *methods: str) -> dict[str, Collection[str]]:
    return {f"{_PACKAGE}{service}/{method}": callers for method in methods}


ALLOW: Mapping[str, Collection[str]] = {
    **_allow("AccountsService", _GATEWAY, "RegisterGuest", "RenewToken", "GetNames"),
    **_allow(
        "SessionsService",
        _GATEWAY,
        "SignIn",
        "ListSessions",
        "RevokeSession",
        "RevokeOtherSessions",
        "ListBarred",
    ),
    **_allow(
        "ProfileService", _GATEWAY, "GetProfile", "SetName", "FindPlayer", "ExportPlayer", "ErasePlayer"
    ),
    **_allow(
        "SocialService",
        _GATEWAY,
        "ListFriends",
        "Befriend",
        "Unfriend",
        "ListBlocks",
        "BlockPlayer",
        "UnblockPlayer",
    ),
    **_allow(
        "OperatorsService", _CLI, "ShowPlayer", "BanPlayer", "UnbanPlayer", "ExportAccount", "EraseAccount"
    ),
}
"""Which services each method serves: players through the gateway, operators through the command `carteado`."""

Context = grpc.aio.ServicerContext[Any, Any]

_STATUSES: Mapping[Status, social_pb.FriendStatus.ValueType] = {
    "friends": social_pb.FRIEND_STATUS_FRIENDS,
    "asked": social_pb.FRIEND_STATUS_ASKED,
    "asked_by_other": social_pb.FRIEND_STATUS_ASKED_BY_OTHER,
}
_CAUSES: Mapping[Cause, sessions_pb.BarredCause.ValueType] = {
    "session_revoked": sessions_pb.BARRED_CAUSE_SESSION_REVOKED,
    "banned": sessions_pb.BARRED_CAUSE_BANNED,
    "erased": sessions_pb.BARRED_CAUSE_ERASED,
}
_REASONS: Mapping[int, BanReason] = {number: reason for reason, number in BAN_REASONS.items()}


class AccountsServicer(rpc.AccountsServiceServicer):
    """Answers the calls of `carteado.accounts.v1.AccountsService`; see its proto for what they mean."""

    def __init__(
        self, registration: Registration, sessions: Sessions, names: NameStore, issuer: Issuer | None
    ) -> None:
        """Without an issuer (production) there are no guests, and `GetNames` alone answers."""
        self._registration = registration
        self._sessions = sessions
        self._names = names
        self._issuer = issuer

    async def RegisterGuest(
        self, request: pb.RegisterGuestRequest, _context: Context
    ) -> pb.RegisterGuestResponse:
        """Registers the guest of this command, once, and opens the session of this command."""
        issuer = self._offered_issuer()
        command_id = uuid_of(request.command_id, "command_id")
        player_id, name = await self._registration.register_guest(request.name, command_id)
        granted = await self._sessions.open_for_guest(issuer, player_id, command_id)
        return pb.RegisterGuestResponse(player_id=player_id, name=name, session=_session_token(granted))

    async def RenewToken(self, request: pb.RenewTokenRequest, _context: Context) -> pb.RenewTokenResponse:
        """A token of the same player and session, valid from now, once for each refresh token."""
        issuer = self._offered_issuer()
        command_id = uuid_of(request.command_id, "command_id")
        granted = await self._sessions.renew(issuer, request.token, command_id)
        return pb.RenewTokenResponse(session=_session_token(granted))

    async def GetNames(self, request: pb.GetNamesRequest, _context: Context) -> pb.GetNamesResponse:
        """The names that are known, in the order of the request, each once."""
        if len(request.player_ids) > MAX_IDS:
            raise INVALID_ARGUMENT.error(field="player_ids", facts={"most": str(MAX_IDS)})
        player_ids = list(
            dict.fromkeys(
                uuid_of(player_id, f"player_ids[{index}]")
                for index, player_id in enumerate(request.player_ids)
            )
        )
        names = await self._names.names(player_ids)
        return pb.GetNamesResponse(
            names=[
                pb.PlayerName(player_id=player_id, name=names[player_id])
                for player_id in player_ids
                if player_id in names
            ]
        )

    def _offered_issuer(self) -> Issuer:
        if self._issuer is None:
            raise GUESTS_NOT_OFFERED.error()
        return self._issuer


class SessionsServicer(sessions_rpc.SessionsServiceServicer):
    """Answers the calls of `carteado.accounts.v1.SessionsService`."""

    def __init__(self, sessions: Sessions, barred: BarredList) -> None:
        self._sessions = sessions
        self._barred = barred

    async def SignIn(
        self, request: sessions_pb.SignInRequest, _context: Context
    ) -> sessions_pb.SignInResponse:
        """The player of an outside issuer's subject."""
        session_id = uuid_of(request.session_id, "session_id")
        if request.issuer == LOCAL_ISSUER or not _is_text(request.issuer):
            raise INVALID_ARGUMENT.error(field="issuer")
        if not _is_text(request.subject):
            raise INVALID_ARGUMENT.error(field="subject")
        expires_at = _datetime(request.expires_at, "expires_at")
        player_id = await self._sessions.sign_in(request.issuer, request.subject, session_id, expires_at)
        return sessions_pb.SignInResponse(player_id=player_id)

    async def ListSessions(
        self, request: sessions_pb.ListSessionsRequest, _context: Context
    ) -> sessions_pb.ListSessionsResponse:
        """A player's sessions that have not ended."""
        player_id = uuid_of(request.player_id, "player_id")
        return sessions_pb.ListSessionsResponse(
            sessions=[
                sessions_pb.Session(
                    session_id=session.session_id,
                    opened_at=timestamp(session.opened_at),
                    renewed_at=timestamp(session.renewed_at),
                    expires_at=timestamp(session.expires_at),
                )
                for session in await self._sessions.list_open(player_id)
            ]
        )

    async def RevokeSession(
        self, request: sessions_pb.RevokeSessionRequest, _context: Context
    ) -> sessions_pb.RevokeSessionResponse:
        """Ends one session of a player."""
        player_id = uuid_of(request.player_id, "player_id")
        await self._sessions.revoke(player_id, uuid_of(request.session_id, "session_id"))
        return sessions_pb.RevokeSessionResponse()

    async def RevokeOtherSessions(
        self, request: sessions_pb.RevokeOtherSessionsRequest, _context: Context
    ) -> sessions_pb.RevokeOtherSessionsResponse:
        """Ends every session of a player but one."""
        player_id = uuid_of(request.player_id, "player_id")
        kept = uuid_of(request.kept_session_id, "kept_session_id")
        ended = await self._sessions.revoke_others(player_id, kept)
        return sessions_pb.RevokeOtherSessionsResponse(ended=ended)

    async def ListBarred(
        self, request: sessions_pb.ListBarredRequest, _context: Context
    ) -> sessions_pb.ListBarredResponse:
        """Who is kept out, as it changed since a cursor."""
        page = await self._barred.page(request.after)
        response = sessions_pb.ListBarredResponse(cursor=page.cursor, has_more=page.has_more)
        for one in page.barred:
            barred = response.barred.add(id=one.id, cause=_CAUSES[one.cause])
            if one.until is not None:
                barred.until.CopyFrom(timestamp(one.until))
        return response


class ProfileServicer(profile_rpc.ProfileServiceServicer):
    """Answers the calls of `carteado.accounts.v1.ProfileService`."""

    def __init__(self, registration: Registration, names: NameStore, personal_data: PersonalData) -> None:
        self._registration = registration
        self._names = names
        self._personal_data = personal_data

    async def GetProfile(
        self, request: profile_pb.GetProfileRequest, _context: Context
    ) -> profile_pb.GetProfileResponse:
        """A player's own account."""
        player_id = uuid_of(request.player_id, "player_id")
        name = await self._registration.name_of(player_id)
        return profile_pb.GetProfileResponse(player_id=player_id, name=name)

    async def SetName(
        self, request: profile_pb.SetNameRequest, _context: Context
    ) -> profile_pb.SetNameResponse:
        """Gives a player another display name."""
        player_id = uuid_of(request.player_id, "player_id")
        return profile_pb.SetNameResponse(name=await self._registration.rename(player_id, request.name))

    async def FindPlayer(
        self, request: profile_pb.FindPlayerRequest, _context: Context
    ) -> profile_pb.FindPlayerResponse:
        """The player who has a name."""
        found = await self._names.find(accepted_name(request.name))
        if found is None:
            raise PLAYER_NOT_FOUND.error(field="name")
        return profile_pb.FindPlayerResponse(player_id=found[0], name=found[1])

    async def ExportPlayer(
        self, request: profile_pb.ExportPlayerRequest, _context: Context
    ) -> profile_pb.ExportPlayerResponse:
        """All personal data of a player."""
        player_id = uuid_of(request.player_id, "player_id")
        return profile_pb.ExportPlayerResponse(json=await self._personal_data.export(player_id))

    async def ErasePlayer(
        self, request: profile_pb.ErasePlayerRequest, _context: Context
    ) -> profile_pb.ErasePlayerResponse:
        """Deletes a player's personal data at the player's own wish."""
        player_id = uuid_of(request.player_id, "player_id")
        await self._personal_data.erase(player_id, f"player:{player_id}")
        return profile_pb.ErasePlayerResponse()


class SocialServicer(social_rpc.SocialServiceServicer):
    """Answers the calls of `carteado.accounts.v1.SocialService`."""

    def __init__(self, social: Social, names: NameStore, presence: PresenceBook) -> None:
        self._social = social
        self._names = names
        self._presence = presence

    async def ListFriends(
        self, request: social_pb.ListFriendsRequest, _context: Context
    ) -> social_pb.ListFriendsResponse:
        """Friends with their presence, and requests without."""
        friends = await self._social.friends(uuid_of(request.player_id, "player_id"))
        names = await self._names.names([friend.other_id for friend in friends])
        return social_pb.ListFriendsResponse(
            friends=[
                social_pb.Friend(
                    player_id=friend.other_id,
                    status=_STATUSES[friend.status],
                    since=timestamp(friend.since),
                    presence=self._presence_of(friend.other_id, friend.status),
                    name=names.get(friend.other_id, ""),
                )
                for friend in friends
            ]
        )

    async def Befriend(
        self, request: social_pb.BefriendRequest, _context: Context
    ) -> social_pb.BefriendResponse:
        """Asks for friendship, or accepts it."""
        status = await self._social.befriend(*_pair(request.player_id, request.other_id))
        return social_pb.BefriendResponse(status=_STATUSES[status])

    async def Unfriend(
        self, request: social_pb.UnfriendRequest, _context: Context
    ) -> social_pb.UnfriendResponse:
        """Ends a friendship or a request."""
        await self._social.unfriend(*_pair(request.player_id, request.other_id))
        return social_pb.UnfriendResponse()

    async def ListBlocks(
        self, request: social_pb.ListBlocksRequest, _context: Context
    ) -> social_pb.ListBlocksResponse:
        """Whom a player blocks."""
        blocks = await self._social.blocks(uuid_of(request.player_id, "player_id"))
        names = await self._names.names([block.other_id for block in blocks])
        return social_pb.ListBlocksResponse(
            blocks=[
                social_pb.Block(
                    player_id=block.other_id,
                    since=timestamp(block.since),
                    name=names.get(block.other_id, ""),
                )
                for block in blocks
            ]
        )

    async def BlockPlayer(
        self, request: social_pb.BlockPlayerRequest, _context: Context
    ) -> social_pb.BlockPlayerResponse:
        """Blocks another player."""
        await self._social.block(*_pair(request.player_id, request.other_id))
        return social_pb.BlockPlayerResponse()

    async def UnblockPlayer(
        self, request: social_pb.UnblockPlayerRequest, _context: Context
    ) -> social_pb.UnblockPlayerResponse:
        """Takes a block back."""
        await self._social.unblock(*_pair(request.player_id, request.other_id))
        return social_pb.UnblockPlayerResponse()

    def _presence_of(self, player_id: str, status: Status) -> social_pb.Presence.ValueType:
        if status != "friends":
            return social_pb.PRESENCE_UNSPECIFIED
        is_online = self._presence.is_online(player_id)
        return social_pb.PRESENCE_ONLINE if is_online else social_pb.PRESENCE_OFFLINE


class OperatorsServicer(operators_rpc.OperatorsServiceServicer):
    """Answers the calls of `carteado.accounts.v1.OperatorsService`."""

    def __init__(self, operators: Operators, personal_data: PersonalData) -> None:
        self._operators = operators
        self._personal_data = personal_data

    async def ShowPlayer(
        self, request: operators_pb.ShowPlayerRequest, _context: Context
    ) -> operators_pb.ShowPlayerResponse:
        """What is known of a player."""
        if request.WhichOneof("player") == "name":
            player_id = await self._operators.find(accepted_name(request.name))
        else:
            player_id = uuid_of(request.player_id, "player_id")
        shown = await self._operators.show(player_id)
        response = operators_pb.ShowPlayerResponse(
            player_id=shown.player_id,
            name=shown.name or "",
            registered_at=timestamp(shown.registered_at),
            is_erased=shown.is_erased,
            open_sessions=shown.open_sessions,
            friends=shown.friends,
        )
        if shown.ban is not None:
            response.ban.reason = BAN_REASONS[shown.ban.reason]
            if shown.ban.until is not None:
                response.ban.until.CopyFrom(timestamp(shown.ban.until))
        if shown.note is not None:
            response.ban.note, response.ban.banned_by = shown.note.note, shown.note.written_by
            response.ban.banned_at.CopyFrom(timestamp(shown.note.written_at))
        return response

    async def BanPlayer(
        self, request: operators_pb.BanPlayerRequest, _context: Context
    ) -> operators_pb.BanPlayerResponse:
        """Keeps a player out."""
        reason = _REASONS.get(request.reason)
        if reason is None:
            raise INVALID_ARGUMENT.error(field="reason")
        await self._operators.ban(
            uuid_of(request.player_id, "player_id"),
            request.operator,
            reason,
            request.note,
            _datetime(request.until, "until") if request.HasField("until") else None,
            uuid_of(request.command_id, "command_id"),
        )
        return operators_pb.BanPlayerResponse()

    async def UnbanPlayer(
        self, request: operators_pb.UnbanPlayerRequest, _context: Context
    ) -> operators_pb.UnbanPlayerResponse:
        """Lets a player in again."""
        await self._operators.unban(
            uuid_of(request.player_id, "player_id"),
            request.operator,
            request.note,
            uuid_of(request.command_id, "command_id"),
        )
        return operators_pb.UnbanPlayerResponse()

    async def ExportAccount(
        self, request: operators_pb.ExportAccountRequest, _context: Context
    ) -> operators_pb.ExportAccountResponse:
        """All personal data of a player."""
        operator_actor(request.operator)
        player_id = uuid_of(request.player_id, "player_id")
        return operators_pb.ExportAccountResponse(json=await self._personal_data.export(player_id))

    async def EraseAccount(
        self, request: operators_pb.EraseAccountRequest, _context: Context
    ) -> operators_pb.EraseAccountResponse:
        """Deletes a player's personal data at an operator's hand."""
        actor = operator_actor(request.operator)
        await self._personal_data.erase(uuid_of(request.player_id, "player_id"), actor)
        return operators_pb.EraseAccountResponse()


def _pair(player_id: str, other_id: str) -> tuple[str, str]:
    return uuid_of(player_id, "player_id"), uuid_of(other_id, "other_id")


def _is_text(text: str) -> bool:
    return 0 < len(text) <= _MAX_CHARS and is_storable(text)


def _datetime(moment: Timestamp, field: str) -> datetime:
    try:
        return moment.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise INVALID_ARGUMENT.error(field=field) from None


def _session_token(granted: Granted) -> pb.SessionToken:
    return pb.SessionToken(
        token=granted.issued.token,
        expires_at=timestamp(granted.issued.expires_at),
        refresh_token=granted.refresh_token,
        refresh_expires_at=timestamp(granted.refresh_expires_at),
    )
