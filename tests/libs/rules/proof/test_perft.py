"""The counts of perft.txt hold, and every registered preset with every number of players has its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.libs.rules.proof.matches import VARIANTS
from tests.libs.rules.proof.perft import counts

EXPECTED = {
    (preset, int(players)): [int(count) for count in found]
    for preset, players, *found in (
        line.split()
        for line in (Path(__file__).parent / "perft.txt").read_text(encoding="utf-8").splitlines()
    )
}


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_the_first_deal_goes_on_in_exactly_so_many_ways(preset: str, players: int) -> None:
    assert (preset, players) in EXPECTED, (
        f"perft.txt lacks a line: python -m tests.libs.rules.proof.perft {preset} {players}"
    )
    expected = EXPECTED[preset, players]
    assert counts(preset, players, len(expected)) == expected


def test_no_line_is_left_of_a_game_that_is_gone() -> None:
    assert set(EXPECTED) == set(VARIANTS)
