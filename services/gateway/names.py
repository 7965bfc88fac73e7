"""The names of other players, beside what is shown of them: of accounts, within a short deadline, or none."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from carteado.accounts.v1 import accounts_service_pb2 as accounts_pb
from carteado.accounts.v1.accounts_service_pb2_grpc import AccountsServiceStub
from libs.service.errors import DEADLINE_EXCEEDED, OVERLOADED, UNAVAILABLE, ServiceError
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls

_AT_ONCE = 100
_AWAY = frozenset({UNAVAILABLE.code, DEADLINE_EXCEEDED.code, OVERLOADED.code})

log = structlog.get_logger()


class Names:
    """Asks accounts; what needs names can be shown without them."""

    def __init__(self, calls: Calls) -> None:
        """`calls` are those that have a short deadline."""
        self._calls = calls

    async def of(self, player_ids: Iterable[str], asked_by: VerifiedPlayer) -> dict[str, str]:
        """The names of players; those that are not known, or all while accounts is away, are left out."""
        ids = sorted(player_ids)
        names: dict[str, str] = {}
        for start in range(0, len(ids), _AT_ONCE):
            try:
                named = await self._calls.call(
                    "accounts",
                    asked_by.player_id,
                    lambda channel: AccountsServiceStub(channel).GetNames,
                    accounts_pb.GetNamesRequest(player_ids=ids[start : start + _AT_ONCE]),
                )
            except ServiceError as error:
                if error.code not in _AWAY:
                    raise
                log.warning("players are shown without names", why=error.code)
                break
            names.update({name.player_id: name.name for name in named.names})
        return names
