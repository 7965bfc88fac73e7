"""The gRPC face of accounts: requests checked for form, then the decider, the names and the issuer."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid5

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.eventlog.decider import Rejection
from libs.eventlog.runtime import Runtime
from libs.service.errors import INVALID_ARGUMENT, ErrorCode
from services.accounts.decider import PlayerCommand, PlayerState, RegisterPlayer
from services.accounts.errors import COMMAND_ID_REUSED, ERRORS, GUESTS_NOT_OFFERED, TOKEN_REFUSED
from services.accounts.events import PlayerEvent
from services.accounts.issuer import IssuedToken, Issuer
from services.accounts.name_store import NameStore
from services.accounts.names import display_name

MAX_IDS = 100

_SERVICE = "/carteado.accounts.v1.AccountsService/"
ALLOW = {
    f"{_SERVICE}RegisterGuest": frozenset({"gateway"}),
    f"{_SERVICE}RenewToken": frozenset({"gateway"}),
    f"{_SERVICE}GetNames": frozenset({"gateway"}),
}

# A guest's player and session follow from the command that registered them: asked again, the same guest answers.
_PLAYER_IDS = UUID("6a1c4a8e-5a0e-5b0f-9d5c-2f6f0c6e7d11")
_SESSION_IDS = UUID("f0b3d9c2-7c1a-5e3b-8a44-91d2b6c0a5e7")

Context = grpc.aio.ServicerContext[Any, Any]


class AccountsServicer(rpc.AccountsServiceServicer):
    """Answers the calls of `carteado.accounts.v1.AccountsService`; see its proto for what they mean."""

    def __init__(
        self,
        runtime: Runtime[PlayerState, PlayerCommand, PlayerEvent],
        names: NameStore,
        issuer: Issuer | None,
    ) -> None:
        """Without an issuer (production) there are no guests, and `GetNames` alone answers."""
        self._runtime = runtime
        self._names = names
        self._issuer = issuer

    async def RegisterGuest(
        self, request: pb.RegisterGuestRequest, _context: Context
    ) -> pb.RegisterGuestResponse:
        """Registers the guest of this command, once, and opens the session of this command."""
        issuer = self._offered_issuer()
        command_id = _uuid(request.command_id, "command_id")
        name = display_name(request.name)
        if isinstance(name, ErrorCode):
            raise name.error(field="name")
        player_id = str(uuid5(_PLAYER_IDS, command_id))
        outcome = await self._runtime.handle(
            player_id, RegisterPlayer(player_id), command_id=command_id, actor=f"player:{player_id}"
        )
        if isinstance(outcome, Rejection):
            raise ERRORS[outcome.code].error(facts=outcome.facts)
        # Only now: a name without a player would be personal data that nothing leads to.
        if await self._names.keep(player_id, name) != name:
            raise COMMAND_ID_REUSED.error(field="command_id")
        token = issuer.issue(player_id, str(uuid5(_SESSION_IDS, command_id)))
        return pb.RegisterGuestResponse(player_id=player_id, name=name, session=_session(token))

    async def RenewToken(self, request: pb.RenewTokenRequest, _context: Context) -> pb.RenewTokenResponse:
        """A token of the same player and session, valid from now."""
        issuer = self._offered_issuer()
        player = issuer.verify(request.token)
        if player is None:
            raise TOKEN_REFUSED.error(field="token")
        # The key may be older than the database: whoever is not in the log is nobody.
        if not (await self._runtime.load(player.player_id)).state.is_registered:
            raise TOKEN_REFUSED.error(field="token")
        token = issuer.issue(player.player_id, player.session_id)
        return pb.RenewTokenResponse(session=_session(token))

    async def GetNames(self, request: pb.GetNamesRequest, _context: Context) -> pb.GetNamesResponse:
        """The names that are known, in the order of the request, each once."""
        if len(request.player_ids) > MAX_IDS:
            raise INVALID_ARGUMENT.error(field="player_ids", facts={"most": str(MAX_IDS)})
        player_ids = list(
            dict.fromkeys(
                _uuid(player_id, f"player_ids[{index}]") for index, player_id in enumerate(request.player_ids)
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


def _uuid(text: str, field: str) -> str:
    """The UUID in its one canonical form, so that two spellings are never two commands."""
    try:
        if str(UUID(text)) == text:
            return text
    except ValueError:
        pass
    raise INVALID_ARGUMENT.error(field=field, facts={"reason": "must be a UUID in lower case with hyphens"})


def _session(issued: IssuedToken) -> pb.SessionToken:
    expires_at = Timestamp()
    expires_at.FromDatetime(issued.expires_at)
    return pb.SessionToken(token=issued.token, expires_at=expires_at)
