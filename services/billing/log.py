"""What the command `carteado log` and the analysts' views must know of the log of billing."""

from __future__ import annotations

from libs.eventlog.projection import Projection
from libs.eventlog.registry import EventRegistry
from services.billing.events import REGISTRY, BillingEvent


class BillingLog:
    """The log of billing: accounts, players' days and reservations; satisfies `libs.cli.log_source.ServiceLog`."""

    name = "billing"
    registry: EventRegistry[BillingEvent] = REGISTRY
    projections: tuple[Projection[BillingEvent], ...] = ()


BILLING_LOG = BillingLog()
