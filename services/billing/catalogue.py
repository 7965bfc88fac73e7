"""The plan catalogue: every number of access and money, as a versioned value that answers and events name.

docs/billing.md says it to people. A version that was ever in force stays; a change is a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final, Literal

import msgspec

Perk = Literal["all_games_and_rooms"]


class Plan(msgspec.Struct, frozen=True):
    """A passport that is for sale: `price_centavos` of BRL for each period of `months`."""

    name: str
    text_pt: str
    price_centavos: int
    months: int
    perks: tuple[Perk, ...] = ("all_games_and_rooms",)


class Catalogue(msgspec.Struct, frozen=True):
    """One version of the numbers. `renewal_every` is the pause between the attempts of a grace period."""

    name: str
    trial: timedelta
    matches_a_day: int
    grace: timedelta
    renewal_every: timedelta
    withdrawal: timedelta
    plans: tuple[Plan, ...]

    def plan(self, name: str) -> Plan | None:
        """The plan of this name."""
        return next((plan for plan in self.plans if plan.name == name), None)

    def rule(self, name: str) -> str:
        """How answers name a rule of this version."""
        return f"{self.name}/{name}"


CATALOGUE_1: Final = Catalogue(
    name="catalogue-1",
    trial=timedelta(days=7),
    matches_a_day=3,
    grace=timedelta(days=3),
    renewal_every=timedelta(days=1),
    withdrawal=timedelta(days=7),
    plans=(
        Plan("vip", "Passaporte VIP, um mês", 1990, 1),
        Plan("pro", "Passaporte PRO, um mês", 2990, 1),
        Plan("vip-anual", "Passaporte VIP, um ano", 19900, 12),
        Plan("pro-anual", "Passaporte PRO, um ano", 29900, 12),
    ),
)

CATALOGUES: Final[Mapping[str, Catalogue]] = {one.name: one for one in (CATALOGUE_1,)}
"""Every version that was ever in force, by the name that events have."""

CURRENT: Final = CATALOGUE_1
"""By which accounts are opened, passports sold and matches counted now."""
