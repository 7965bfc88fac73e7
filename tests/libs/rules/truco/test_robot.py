"""Robots: they know their view alone, never harm themselves by rule, and the sensible one is worth its name."""

import inspect
import random
from pathlib import Path
from typing import get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.rules.game import Rejection, Seat
from libs.rules.robots import Listing, random_move
from libs.rules.shuffle import Draws
from libs.rules.truco import robots
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import AcceptRaise, DeclineElevenHand, Fold, PlayCard, PlayElevenHand, Raise
from libs.rules.truco.robots import ROBOTS
from libs.rules.truco.robots.simple import simple_move
from libs.rules.truco.view import TrucoView
from tests.libs.rules.truco.situations import hidden_twin, running_matches
from tests.libs.rules.truco.tables import SECRET, SWITCH_VALUES, ChanceMatch, Table


class Certain:
    """Chance that never bluffs and always takes the first."""

    def random(self) -> float:
        return 0.999

    def randrange(self, stop: int, /) -> int:
        return 0


def choice(table, seat):
    return simple_move(GAME.view(table.state, Seat(seat)), Certain())


def test_b072_two_hundred_pairs_of_states_that_a_robot_cannot_tell_apart_give_equal_moves():
    pairs = 0
    number = 0
    while pairs < 200:
        match = ChanceMatch(f"b072-{number}", {}, [(0, 0), (11, 3), (11, 11)][number % 3])
        number += 1
        while (awaited := GAME.awaited(match.state)) is not None:
            seat = awaited.seats[0]
            twin, _ = hidden_twin(match.state, seat, random.Random(pairs))
            for name, move in ROBOTS.items():
                here = move(GAME.view(match.state, seat), random.Random(f"{name}{pairs}"))
                there = move(GAME.view(twin, seat), random.Random(f"{name}{pairs}"))
                assert here == there
            pairs += 1
            match.step()


def test_b072_a_robot_takes_a_view_and_chance_and_its_package_knows_no_state():
    for move in ROBOTS.values():
        assert list(inspect.signature(move).parameters) == ["view", "chance"]
        seen = inspect.signature(move, eval_str=True).parameters["view"].annotation
        # The random robot is every game's: of a view it knows the legal moves and nothing else.
        assert seen is TrucoView or (move is random_move and get_origin(seen) is Listing)
    folder = Path(robots.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    for forbidden in ("truco.state", "truco.decide", "truco.game", "truco.events", "truco.deal"):
        assert forbidden not in source


@settings(max_examples=200)
@given(match=running_matches(), seed=st.integers(0, 2**16))
def test_a_robot_s_move_is_accepted_and_not_punished(match, seed):
    awaited = GAME.awaited(match.state)
    assert awaited is not None
    for seat in awaited.seats:
        consequences = {legal.move: legal.consequence for legal in GAME.legal_moves(match.state, seat)}
        for move in ROBOTS.values():
            chosen = move(GAME.view(match.state, seat), random.Random(seed))
            assert consequences[chosen] == ""


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_that_has_nothing_to_do_says_so(name):
    table = Table(signals="false")
    with pytest.raises(ValueError, match="nothing to do"):
        ROBOTS[name](GAME.view(table.state, Seat(1)), Certain())
    with pytest.raises(ValueError, match="nothing to do"):
        ROBOTS[name](GAME.view(table.state, None), Certain())


def play(robots, match, switches):
    draws, chance = Draws(SECRET, match), random.Random(match)
    state = GAME.initial(GAME.rule_set(switches), 4)
    for event in GAME.start(state, draws):
        state = GAME.evolve(state, event)
    while (awaited := GAME.awaited(state)) is not None:
        seat = awaited.seats[0]
        decision = GAME.decide(state, seat, robots[seat](GAME.view(state, seat), chance), draws)
        assert not isinstance(decision, Rejection)
        for event in decision:
            state = GAME.evolve(state, event)
    result = GAME.result(state)
    assert result is not None
    return result.winners[0]


def test_the_sensible_robot_beats_the_random_one_four_times_in_five():
    simple, by_chance = ROBOTS["simple"], ROBOTS["random"]
    won = sum(play((simple, by_chance) * 2, f"s{number}", {}) == 0 for number in range(100))
    won += sum(play((by_chance, simple) * 2, f"r{number}", {}) == 1 for number in range(100))
    assert won >= 160


def test_robots_finish_matches_under_every_value_of_every_switch():
    for name, values in SWITCH_VALUES.items():
        for value in values:
            for robot in ROBOTS.values():
                play((robot,) * 4, f"{name}={value}", {name: value})


def test_it_wins_with_the_lowest_card_that_does():
    table = Table({0: "QC", 1: "3E KE 4E"})
    table.play(0, "QC")
    assert choice(table, 1) == PlayCard(1, 1, card="KE")


def test_it_keeps_its_manilha_while_its_partner_wins():
    table = Table({0: "2C", 1: "4E", 2: "5O 4C 6C"})
    table.play_trick("0:2C 1:4E")
    assert choice(table, 2) == PlayCard(1, 1, card="4C")


def test_it_ties_where_a_tie_wins_the_hand():
    table = Table({0: "3C 4C", 1: "4E 6E", 2: "6C 7C 6O", 3: "4P KE QP"})
    table.play_trick("0:3C 1:4E 2:6C 3:4P")
    table.play_trick("0:4C 1:6E")
    assert choice(table, 2) == PlayCard(1, 2, card="7C")


def test_it_leads_its_best_card_that_is_no_manilha():
    assert choice(Table({0: "5O 4C AC"}), 0) == PlayCard(1, 1, card="AC")
    assert choice(Table({0: "5O 5C 5E"}, vira="4P", score=(11, 0), eleven_decision="none"), 0) == PlayCard(
        1, 1, card="5O"
    )


def test_it_answers_by_its_cards():
    table = Table({0: "4C", 1: "4E 4P 6E", 3: "5P 5C 3E"})
    table.call(0, 3)
    assert choice(table, 1) == Fold(1, 3)
    assert choice(table, 3) == Raise(1, 6)
    table = Table({0: "4C", 1: "3E KE 6E"})
    table.call(0, 3)
    assert choice(table, 1) == AcceptRaise(1, 3)


def test_it_raises_on_strong_cards_and_bluffs_at_times():
    assert choice(Table({0: "5P 5C 4C"}), 0) == Raise(1, 3)
    assert isinstance(choice(Table({0: "4C 6C 7C"}), 0), PlayCard)
    weak = GAME.view(Table({0: "4C 6C 7C"}).state, Seat(0))
    chance = random.Random(1)
    bluffs = sum(isinstance(simple_move(weak, chance), Raise) for _ in range(2_000))
    assert 0 < bluffs < 200


def test_it_plays_a_mao_de_onze_by_both_partners_cards():
    strong = Table({0: "4C 6C 7C", 2: "5P 3C QO"}, score=(11, 2))
    assert choice(strong, 0) == PlayElevenHand(1)
    weak = Table({0: "4C 6C 7C", 2: "4P 6O QO"}, score=(11, 2))
    assert choice(weak, 0) == DeclineElevenHand(1)
