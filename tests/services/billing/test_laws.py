"""The laws of every decider, for billing's three."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from libs.eventlog.decider import Command
from libs.eventlog.testing import assert_laws
from services.billing.account import ACCOUNT, EraseAccount, OpenAccount
from services.billing.events import Admitted
from services.billing.money import RecordFailure, RecordPayment
from services.billing.overdue import TellOverdue
from services.billing.player_day import PLAYER_DAY, EndPlayerDay, GiveQuotaBack, TakeQuota
from services.billing.purchase import AskRenewal, CancelPassport, EndPassport, StartPurchase
from services.billing.reservation import RESERVATION, Bar, Expire, Release, Reserve, Settle
from services.billing.returns import RecordReturn, StartReturn

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
DAY = "2026-09-01"


def commands(bodies: list[Any], seed: int, number: int = 60) -> list[Command[Any]]:
    """A random play: time goes on from one command to the next."""
    chance, at, played = random.Random(seed), NOW, []
    for _ in range(number):
        at += timedelta(hours=chance.choice([0, 1, 30, 400]))
        played.append(Command(f"id-{len(played)}", "someone", at, chance.choice(bodies)))
    return played


def test_an_account_keeps_the_laws_whatever_is_told() -> None:
    passports = ("p1", "p2")
    bodies: list[Any] = [
        *(
            StartPurchase(passport, plan, "sandbox")
            for passport in passports
            for plan in ("vip", "pro", "none")
        ),
        CancelPassport(),
        *(TellOverdue("purchase", passport) for passport in passports),
        *(TellOverdue("return", f"k{passport}0") for passport in passports),
        *(
            AskRenewal(passport, period, attempt)
            for passport in passports
            for period in (2, 3)
            for attempt in (1, 2)
        ),
        *(EndPassport(passport) for passport in passports),
        *(
            RecordPayment(passport, period, f"{passport}-{period}", 1990)
            for passport in passports
            for period in (1, 2, 3)
        ),
        *(RecordFailure(passport, period, 1) for passport in passports for period in (1, 2)),
        *(
            RecordReturn(f"{passport}-{period}", f"r{amount}", amount, "refund")
            for passport in passports
            for period in (1, 2)
            for amount in (0, 1, 1989, 1990, 5000)
        ),
        *(
            StartReturn(f"k{passport}{amount}", f"{passport}-1", amount, cause)
            for passport in passports
            for amount, cause in ((0, "refund"), (5, "refund"), (0, "withdrawal"))
        ),
        *(
            RecordReturn(f"{passport}-1", f"r{amount}", 0, "refund", f"k{passport}{amount}")
            for passport in passports
            for amount in (0, 5)
        ),
    ]
    for seed in range(60):
        opened = [Command("open", "service:accounts", NOW, OpenAccount("ana", NOW))]
        state = assert_laws(ACCOUNT, [*opened, *commands(bodies, seed)])
        assert state.player_id == "ana"
        erased = [Command("erase", "service:accounts", NOW, EraseAccount("ana"))]
        after = assert_laws(
            ACCOUNT, [*opened, *commands(bodies, seed, 30), *erased, *commands(bodies, -seed)]
        )
        assert after.is_erased


def test_a_players_day_keeps_the_laws_and_its_limit() -> None:
    bodies: list[Any] = [EndPlayerDay(DAY)]
    for match_id in "abcde":
        bodies += [TakeQuota("ana", DAY, match_id), TakeQuota("ana", DAY, match_id), GiveQuotaBack(match_id)]
    for seed in range(60):
        assert assert_laws(PLAYER_DAY, commands(bodies, seed, 14)).used <= 3


def test_a_reservation_keeps_the_laws() -> None:
    players = tuple(Admitted(one, "free_game", "catalogue-1/free-games", NOW) for one in ("ana", "bia"))
    bodies: list[Any] = [
        Reserve("m", "sueca", "livre", DAY, players, "catalogue-1"),
        Release(("ana",)),
        Release(("bia", "cid")),
        Release(("cid",)),
        Settle("m"),
        Bar("m"),
        Expire("m"),
    ]
    for seed in range(60):
        assert assert_laws(RESERVATION, commands(bodies, seed, 8)).is_over in {True, False}
