"""Deals are even: chi-square of positions and cards, of the first dealer, and of neighbours.

In `make test` as many deals as a few seconds give, from a seed that changes each time and is printed; in `make proof` a
million. An alarm is false once in more than a million runs: each of the four statistics may be wrong on either side with a
chance of 10⁻⁷. CARTEADO_TEST_SEED repeats a run.
"""

import os
import random
import secrets
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

import pytest

from libs.rules.truco.cards import PACK
from tests.fairness.even_deals import HANDS, Counts, Deal, counted, upper_tail

FALSE_ALARM = 1e-7
SHORT_S = 4.0
PART = 500
MILLION = 1_000_000


def seed_of_this_run() -> str:
    seed = os.environ.get("CARTEADO_TEST_SEED") or secrets.token_hex(8)
    print(f"CARTEADO_TEST_SEED={seed}")
    return seed


def assert_even(counts: Counts) -> None:
    chances = counts.chances()
    print(f"{counts.deals} deals:", ", ".join(f"{name} {chance:.3g}" for name, chance in chances.items()))
    assert min(chances.values()) > FALSE_ALARM, chances


def test_some_deals_are_even() -> None:
    seed, counts = seed_of_this_run(), Counts()
    ends_at = time.monotonic() + SHORT_S
    part = 0
    while part < 8 or time.monotonic() < ends_at:
        counts.merge(counted(f"{seed}-{part}", PART))
        part += 1
    assert_even(counts)


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_a_million_deals_are_even() -> None:
    seed, counts = seed_of_this_run(), Counts()
    parts = [f"{seed}-{part}" for part in range(MILLION // HANDS // PART)]
    with ProcessPoolExecutor() as pool:
        for part in pool.map(counted, parts, [PART] * len(parts)):
            counts.merge(part)
    assert counts.deals == MILLION
    assert_even(counts)


def fair(chance: random.Random) -> list[str]:
    return chance.sample(PACK, len(PACK))


def naive(chance: random.Random) -> list[str]:
    """The best known wrong shuffle: each card is swapped with any other."""
    pack = list(PACK)
    for i in range(len(pack)):
        j = chance.randrange(len(pack))
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def favoured(chance: random.Random) -> list[str]:
    """A card in twenty-five deals is moved to seat 0: the zap of a vira of three."""
    pack = fair(chance)
    if chance.random() < 0.04:
        place = pack.index("4P")
        pack[0], pack[place] = pack[place], pack[0]
    return pack


def stacked(chance: random.Random) -> list[str]:
    """Every card is everywhere equally often, but the vira gives the first card away."""
    start = chance.randrange(len(PACK))
    return [PACK[(start + step) % len(PACK)] for step in range(len(PACK))]


def wrong(shuffle: object) -> object:
    def source(seed: str, matches: int) -> Iterable[list[Deal]]:
        chance = random.Random(seed)
        for _ in range(matches):
            yield [(chance.randrange(4), tuple(shuffle(chance)[:13])) for _ in range(HANDS)]

    return source


@pytest.mark.parametrize(
    ("shuffle", "caught_by"),
    [(naive, "places and cards"), (favoured, "places and cards"), (stacked, "first card and vira")],
)
def test_a_wrong_shuffle_is_caught(shuffle: object, caught_by: str) -> None:
    chances = counted("wrong", 2_000, wrong(shuffle)).chances()
    assert chances[caught_by] < FALSE_ALARM
    assert chances["first dealer"] > 1e-3


def test_a_fair_shuffle_of_another_make_passes() -> None:
    assert min(counted("right", 2_000, wrong(fair)).chances().values()) > FALSE_ALARM


def test_a_repeated_deal_and_a_favoured_dealer_are_caught() -> None:
    def repeating(seed: str, matches: int) -> Iterable[list[Deal]]:
        chance = random.Random(seed)
        for _ in range(matches):
            yield [(chance.choice((0, 0, 1, 2, 3)), tuple(fair(chance)[:13]))] * HANDS

    chances = counted("repeated", 2_000, repeating).chances()
    assert chances["viras of neighbouring hands"] < FALSE_ALARM
    assert chances["first dealer"] < FALSE_ALARM


@pytest.mark.parametrize(
    ("statistic", "degrees", "chance"),
    [
        # Quantiles of the chi-square distribution as printed in tables.
        (3.841, 1, 0.05),
        (7.815, 3, 0.05),
        (11.345, 3, 0.01),
        (16.266, 3, 0.001),
        (124.342, 100, 0.05),
        (149.449, 100, 0.001),
        (61.918, 100, 0.999),
        (1106.969, 1000, 0.01),
        (32.2362, 2, 1e-7),
    ],
)
def test_the_tail_is_that_of_printed_tables(statistic: float, degrees: int, chance: float) -> None:
    assert upper_tail(statistic, degrees) == pytest.approx(chance, rel=0.01)
