"""The games by name."""

import pytest

from libs.rules.registry import GAMES, ROBOTS, UnknownGameError, game, robots
from libs.rules.truco.game import TRUCO_PAULISTA


def test_a_game_is_found_by_its_public_name():
    assert game("truco-paulista") is TRUCO_PAULISTA
    for name, found in GAMES.items():
        assert found.preset == name
        assert found.rules_version >= 1
        assert found.player_counts


def test_every_game_has_a_random_and_a_simple_robot():
    assert set(ROBOTS) == set(GAMES)
    for name in GAMES:
        assert {"random", "simple"} <= set(robots(name))


@pytest.mark.parametrize(
    "name", ["", "truco", "TRUCO-PAULISTA", "xadrez", "truco-paulista\u0000", "x" * 10_000]
)
def test_an_unknown_name_is_refused_with_the_names_that_there_are(name):
    for look_up in (game, robots):
        with pytest.raises(UnknownGameError, match="there are: truco-paulista") as refusal:
            look_up(name)
        assert len(str(refusal.value)) < 200 + 20 * len(GAMES)


def test_a_near_miss_is_answered_with_a_hint():
    with pytest.raises(UnknownGameError, match=r"did you mean truco-paulista\?"):
        game("truco-palista")
