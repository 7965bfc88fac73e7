"""Measuring by halves: who sits where when two robots play a game of more than two sides."""

from collections import Counter

import pytest

from libs.cli.halves import owners
from libs.rules.mau_mau.game import MAU_MAU
from libs.rules.truco.game import TRUCO_004, TRUCO_PAULISTA


@pytest.mark.parametrize(("game", "players"), [(TRUCO_PAULISTA, 4), (TRUCO_004, 6)])
def test_between_two_sides_each_robot_has_one(game, players):
    assert owners(game, players, "1/1", 0) == [0, 1] * (players // 2)
    assert owners(game, players, "1/1", 1) == [1, 0] * (players // 2)


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
def test_where_each_plays_alone_a_robot_has_half_of_the_seats_and_then_the_other_half(players):
    for deal in range(20):
        seats = owners(MAU_MAU, players, f"1/{deal}", 0)
        assert seats.count(0) == players // 2
        assert owners(MAU_MAU, players, f"1/{deal}", 1) == [1 - robot for robot in seats]


def test_the_halves_are_drawn_anew_for_each_deal_and_are_the_same_every_time():
    halves = Counter(tuple(owners(MAU_MAU, 4, f"1/{deal}", 0)) for deal in range(200))
    assert len(halves) == 6
    assert min(halves.values()) >= 15
    assert owners(MAU_MAU, 4, "7/3", 0) == owners(MAU_MAU, 4, "7/3", 0)
