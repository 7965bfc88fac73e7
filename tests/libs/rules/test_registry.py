"""The games by name."""

import pytest

from libs.rules import registry
from libs.rules.registry import FAMILIES, GAMES, ROBOTS, UnknownGameError, family_of, game, robots
from libs.rules.truco.game import TRUCO_PAULISTA
from libs.rules.truco.moves import Fold
from libs.service.access import read_preset


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


def test_billing_knows_the_class_of_every_preset():
    """A game that it does not know could not be entered."""
    read = {name: read_preset(name) for name in GAMES}
    assert None not in read.values()
    assert {preset.game for preset in read.values()} <= set(GAMES)
    assert all(preset.is_house == ("@" in name) for name, preset in read.items())


def test_a_games_events_are_stored_under_its_name():
    for family in FAMILIES:
        assert family.event_types
        assert all(name.startswith(f"{family.name}.") for name in family.event_types)


def test_a_move_an_event_and_a_view_tell_their_game():
    assert family_of(Fold(1, 3)).name == "truco"
    for family in FAMILIES:
        kinds = [*family.moves, *family.event_types.values(), *family.seen, family.view]
        assert all(registry._FAMILY_OF_TYPE[kind] is family for kind in kinds)


def test_a_type_of_two_games_is_refused_at_the_start(monkeypatch):
    monkeypatch.setattr(registry, "FAMILIES", (*FAMILIES, FAMILIES[0]))
    with pytest.raises(TypeError, match="is of truco and of truco"):
        registry._families_by_type()


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
