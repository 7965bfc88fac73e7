"""What the command `carteado log` and the analysts' views must know of the log of accounts."""

from __future__ import annotations

from libs.eventlog.projection import Projection
from libs.eventlog.registry import EventRegistry
from services.accounts.standing import STANDING, AccountsEvent


class AccountsLog:
    """The log of accounts, streams of players and of pairs; satisfies `libs.cli.log_source.ServiceLog`."""

    name = "accounts"
    registry: EventRegistry[AccountsEvent] = STANDING.registry
    projections: tuple[Projection[AccountsEvent], ...] = (STANDING,)


ACCOUNTS_LOG = AccountsLog()
