"""Which player a token belongs to, and whether that player may come in."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime

import msgspec

from carteado.accounts.v1 import sessions_service_pb2
from carteado.accounts.v1.sessions_service_pb2_grpc import SessionsServiceStub
from libs.service.tokens import TokenVerifier, VerifiedPlayer, VerifiedSubject
from services.gateway.barred import Barred
from services.gateway.calls import Calls

_MAX_KNOWN = 50_000
_FIRST_LIST_S = 2.0
"""How long who comes while the gateway still starts waits for the list of who is kept out."""


class _Known(msgspec.Struct, frozen=True):
    player_id: str
    expires_at: datetime


class Identity:
    """Verifies tokens of the configured issuer; an outside issuer's subjects are looked up once for each token."""

    def __init__(self, verifier: TokenVerifier, barred: Barred, calls: Calls) -> None:
        self._verifier = verifier
        self._barred = barred
        self._calls = calls
        self._known: OrderedDict[tuple[str, str, str], _Known] = OrderedDict()

    async def verify(self, token: str) -> VerifiedPlayer | None:
        """The player, or None for a token that is not valid.

        Raises ServiceError for who is kept out (SESSION_REVOKED, PLAYER_BANNED), and UNAVAILABLE while that, or the
        issuer's keys, can't be known.
        """
        verified = await self._verifier.verify(token)
        if verified is None:
            return None
        if not self._barred.is_loaded:
            await self._barred.until_loaded(_FIRST_LIST_S)
        player = verified if isinstance(verified, VerifiedPlayer) else await self._player_of(verified)
        # Last, and without waiting for anything afterwards: who is barred while it waited is refused.
        self._barred.refuse(player)
        return player

    async def _player_of(self, verified: VerifiedSubject) -> VerifiedPlayer:
        key = (verified.issuer, verified.subject, verified.session_id)
        known = self._known.get(key)
        if known is None or known.expires_at < verified.expires_at:
            known = _Known(await self._sign_in(verified), verified.expires_at)
            self._known[key] = known
            if len(self._known) > _MAX_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return VerifiedPlayer(known.player_id, verified.session_id, verified.expires_at)

    async def _sign_in(self, verified: VerifiedSubject) -> str:
        request = sessions_service_pb2.SignInRequest(
            issuer=verified.issuer, subject=verified.subject, session_id=verified.session_id
        )
        request.expires_at.FromDatetime(verified.expires_at)
        signed_in = await self._calls.call(
            "accounts",
            verified.session_id,
            lambda channel: SessionsServiceStub(channel).SignIn,
            request,
        )
        return signed_in.player_id
