"""The access matrix, cell by cell: every game and preset, every room, every state of an account."""

from datetime import timedelta
from itertools import product
from typing import get_args

import pytest

from libs.service.access import GAMES, HOUSES
from services.billing.access import access_of, standing_of
from services.billing.account import ACCOUNT
from services.billing.account_events import AccountErased, AccountOpened, PassportBought
from services.billing.catalogue import CURRENT
from services.billing.events import Reason, Room
from services.billing.state import AccountState
from tests.services.billing.conftest import REGISTERED_AT, TRIAL_OVER, BillingParts

FREE = ("domino", "sueca", "truco-paulista", "canastra", "mau-mau", "cacheta")
FOUR = ("buraco-aberto", "buraco-fechado", "buraco-fechado-stbl", "tranca")
HOUSES_OF_FREE = ("truco@003", "truco@004", *(f"{game}@{house}" for game in FREE for house in ("003", "004")))
HOUSES_OF_FOUR = tuple(f"{game}@{house}" for game in FOUR for house in ("003", "004"))
ROOMS: tuple[Room, ...] = get_args(Room)
NOW = TRIAL_OVER + timedelta(hours=1)

OPENED = AccountOpened("ana", REGISTERED_AT, TRIAL_OVER, CURRENT.name)


def bought(plan: str) -> PassportBought:
    later = NOW + timedelta(days=20)
    return PassportBought("ana", "p", plan, 1, "sandbox", "pay", 2990, NOW, later, NOW, CURRENT.name)


def account(*events: object) -> AccountState:
    state = ACCOUNT.initial()
    for event in events:
        state = ACCOUNT.evolve(state, event)  # type: ignore[arg-type]  # the events of a parametrised case
    return state


STATES = {
    "unknown": (account(), NOW, 0),
    "trial": (account(OPENED), TRIAL_OVER - timedelta(seconds=1), 0),
    "over": (account(OPENED), TRIAL_OVER, 0),
    "over, used up": (account(OPENED), NOW, 3),
    "vip": (account(OPENED, bought("vip")), NOW, 3),
    "pro": (account(OPENED, bought("pro")), NOW, 3),
    "erased": (account(OPENED, AccountErased("ana")), NOW, 0),
}

# Rows: what is played. Columns: livre, treino, ranqueada, torneio. A capital is allowed:
# F free, T trial, P passport, L within the limit; l limit reached, n passport needed, h house, g no game, u no player.
MATRIX: dict[str, dict[str, str]] = {
    "unknown": {"free": "FFFF", "four": "uuuu", "free house": "FFhh", "four house": "uuhh"},
    "trial": {"free": "FFFF", "four": "TTTT", "free house": "FFhh", "four house": "TThh"},
    "over": {"free": "FFFF", "four": "Lnnn", "free house": "FFhh", "four house": "Lnhh"},
    "over, used up": {"free": "FFFF", "four": "lnnn", "free house": "FFhh", "four house": "lnhh"},
    "vip": {"free": "FFFF", "four": "PPPP", "free house": "FFhh", "four house": "PPhh"},
    "pro": {"free": "FFFF", "four": "PPPP", "free house": "FFhh", "four house": "PPhh"},
    "erased": {"free": "uuuu", "four": "uuuu", "free house": "uuhh", "four house": "uuhh"},
}
PRESETS = {"free": FREE, "four": FOUR, "free house": HOUSES_OF_FREE, "four house": HOUSES_OF_FOUR}
REASONS: dict[str, Reason] = {
    "F": "free_game",
    "T": "trial",
    "P": "passport",
    "L": "within_daily_limit",
    "l": "daily_limit_reached",
    "n": "passport_needed",
    "h": "house_preset",
    "u": "unknown_player",
}

CELLS = [
    (state, preset, room, MATRIX[state][row][column])
    for state, (row, presets) in product(MATRIX, PRESETS.items())
    for preset in presets
    for column, room in enumerate(ROOMS)
]


def test_b111_every_cell_of_the_access_matrix() -> None:
    for state, preset, room, cell in CELLS:
        known, at, used = STATES[state]
        access = access_of(standing_of(known, at), used, preset, room, at)
        assert (access.is_allowed, access.reason) == (cell.isupper(), REASONS[cell]), (state, preset, room)
        assert access.rule.startswith("catalogue-1/")
        assert access.valid_until > at


def test_b134_training_with_robots_is_refused_for_the_passport_four_after_the_trial() -> None:
    known, at, _ = STATES["over"]
    for games, is_allowed in ((FOUR, False), (FREE, True)):
        for game in games:
            access = access_of(standing_of(known, at), 0, game, "treino", at)
            assert access.is_allowed is is_allowed, game


def test_the_matrix_has_every_game_house_and_room() -> None:
    assert set(FREE) | set(FOUR) == set(GAMES)
    assert {game for game, kind in GAMES.items() if kind == "free"} == set(FREE)
    assert {"003", "004"} == HOUSES
    assert ROOMS == ("livre", "treino", "ranqueada", "torneio")


@pytest.mark.parametrize(
    "preset", ["", "truco", "buraco", "poker", "tranca@", "tranca@001", "Tranca", "tranca@003@004"]
)
def test_what_is_no_game_is_refused_in_every_room(preset: str) -> None:
    known, at, _ = STATES["pro"]
    for room in ROOMS:
        assert access_of(standing_of(known, at), 0, preset, room, at).reason == "unknown_game"


async def test_an_answer_holds_until_what_it_rests_on_ends(billing: BillingParts) -> None:
    ana = await billing.register()
    assert (await billing.check(ana)).valid_until == TRIAL_OVER
    billing.clock = TRIAL_OVER
    in_livre = await billing.check(ana, room="livre")
    # 15:00 UTC is noon in São Paulo: its day ends at 03:00 UTC.
    assert in_livre.valid_until == TRIAL_OVER.replace(hour=3) + timedelta(days=1)
    assert in_livre.matches_left == 3
    passport = await billing.buy(ana)
    assert (await billing.check(ana)).valid_until == passport.paid_until
    assert (await billing.check(ana, at=passport.paid_until - timedelta(seconds=1))).reason == "passport"


async def test_the_trial_runs_once_from_the_registration_whenever_billing_hears_of_it(
    billing: BillingParts,
) -> None:
    billing.clock = REGISTERED_AT + timedelta(days=30)
    ana = await billing.register()
    assert (await billing.check(ana)).reason == "passport_needed"
    assert not await billing.passports.open(ana, billing.clock, "again")
    assert (await billing.check(ana)).reason == "passport_needed"
