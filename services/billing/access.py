"""The access matrix: who may play what, where, and why. Pure; every answer about access is given here.

docs/billing.md has the matrix as a table; tests/services/billing/test_access.py compares every cell of it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import msgspec

from libs.service.access import Preset, read_preset
from services.billing.calendar import day_ends_at, day_of
from services.billing.catalogue import CURRENT, Catalogue
from services.billing.events import Reason, Room
from services.billing.state import AccountState

_ROOMS_OF_HOUSES: Final = frozenset({"livre", "treino"})
_UNCHANGING: Final = timedelta(days=1)
"""How long an answer holds that nothing but another release or a purchase changes."""

_UNTIL_A_PURCHASE: Final = timedelta(minutes=5)
"""How long a refusal holds that a purchase ends: while billing is away, callers would go on refusing who has paid."""

_REGISTERING: Final = timedelta(seconds=5)
"""How long an account may be on its way from accounts."""


class Standing(msgspec.Struct, frozen=True):
    """What an account opens at a moment, beside the free games: everything until a time, or nothing.

    `reason` is "trial" or "passport"; "unknown_player" for no account; "passport_needed" when neither runs.
    """

    reason: Reason
    until: datetime | None = None


class Access(msgspec.Struct, frozen=True):
    """An answer. `matches_left` is None where no daily limit applies."""

    is_allowed: bool
    reason: Reason
    rule: str
    valid_until: datetime
    matches_left: int | None = None

    @property
    def is_counted(self) -> bool:
        """Whether a match that begins by it takes one of the day's."""
        return self.reason == "within_daily_limit"


def standing_of(account: AccountState, at: datetime) -> Standing:
    """What the account opens at a moment. A passport goes before the trial, which it may outlast."""
    if account.is_erased:
        return Standing("unknown_player")
    passport = account.passport
    if passport is not None and passport.is_valid(at):
        until = passport.opens_until if passport.is_in_grace(at) else passport.paid_until
        return Standing("passport", until)
    if account.trial_until is None:
        return Standing("unknown_player", at + _REGISTERING)
    if at < account.trial_until:
        return Standing("trial", account.trial_until)
    return Standing("passport_needed")


def needs_quota(standing: Standing, preset: str, room: Room) -> bool:
    """Whether the answer rests on how many matches of the day are left."""
    read = read_preset(preset)
    is_limited = read is not None and read.game_class == "passport" and room == "livre"
    return is_limited and standing.reason == "passport_needed"


def access_of(
    standing: Standing, used: int, preset: str, room: Room, at: datetime, catalogue: Catalogue = CURRENT
) -> Access:
    """Whether a player with this standing, and so many matches of the day used, may play there."""
    lasting = at + _UNCHANGING
    read = read_preset(preset)
    if read is None:
        return Access(False, "unknown_game", catalogue.rule("games"), lasting)
    if read.is_house and room not in _ROOMS_OF_HOUSES:
        return Access(False, "house_preset", catalogue.rule("house-presets"), lasting)
    return _access_to_game(standing, used, read, room, at, catalogue)


def _access_to_game(
    standing: Standing, used: int, preset: Preset, room: Room, at: datetime, catalogue: Catalogue
) -> Access:
    lasting = at + _UNCHANGING
    # The caller has verified the player: an account on its way from accounts plays the free games meanwhile.
    is_on_its_way = standing.reason == "unknown_player" and standing.until is not None
    if preset.game_class == "free" and (is_on_its_way or standing.reason != "unknown_player"):
        return Access(
            True,
            "free_game",
            catalogue.rule("free-games"),
            standing.until if is_on_its_way and standing.until else lasting,
        )
    match standing.reason:
        case "trial" | "passport":
            return Access(True, standing.reason, catalogue.rule(standing.reason), standing.until or lasting)
        case "passport_needed" if room == "livre":
            left = max(0, catalogue.matches_a_day - used)
            reason: Reason = "within_daily_limit" if left else "daily_limit_reached"
            return Access(left > 0, reason, catalogue.rule("daily-limit"), day_ends_at(day_of(at)), left)
        case "passport_needed":
            return Access(False, "passport_needed", catalogue.rule("passport"), at + _UNTIL_A_PURCHASE)
        case _:
            return Access(False, "unknown_player", catalogue.rule("accounts"), standing.until or lasting)
