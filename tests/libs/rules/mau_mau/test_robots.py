"""The robots: worth their names over seeded matches, quick, and blind to what their seat does not see."""

import random
import time

import pytest

from libs.cli.halves import owners
from libs.rules.game import Rejection, Seat
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import Accuse, DrawCard, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.robots import MAU_MAU_ROBOTS, ROBOTS, strong
from libs.rules.mau_mau.robots.offered import offered
from libs.rules.shuffle import Draws
from tests.libs.rules.mau_mau.situations import hidden_twin
from tests.libs.rules.mau_mau.tables import SECRET, Table, conserved
from tests.libs.rules.proof.matches import ChanceMatch


def played(robots, owner, name, switches=None):
    """The state at the end of a match of robots by seat."""
    players = len(owner)
    draws, chance = Draws(SECRET, name), random.Random(name)
    state = GAME.initial(GAME.rule_set(switches or {}), players)
    for event in GAME.start(state, draws):
        state = GAME.evolve(state, event)
    while (awaited := GAME.awaited(state)) is not None:
        (seat,) = awaited.seats
        decision = GAME.decide(state, seat, robots[owner[seat]](GAME.view(state, seat), chance), draws)
        assert not isinstance(decision, Rejection)
        for event in decision:
            state = GAME.evolve(state, event)
    conserved(state)
    return state


def share(pair, deals, players=4):
    """The share of the first robot over so many deals by halves, each played with the robots swapped too."""
    won, robots = 0.0, [ROBOTS[name] for name in pair]
    for number in range(deals):
        for swapped in (0, 1):
            owner = owners(GAME, players, f"deal {number}", swapped)
            winner = played(robots, owner, f"deal {number}").winner
            won += 0.5 if winner is None else owner[winner] == 0
    return won / (2 * deals)


@pytest.mark.parametrize(
    ("pair", "deals", "players", "least"),
    [
        (("greedy", "random"), 40, 4, 0.85),
        (("simple", "random"), 40, 5, 0.85),
        (("simple", "greedy"), 500, 4, 0.5),
        (("strong", "random"), 40, 4, 0.9),
        (("strong", "greedy"), 300, 4, 0.5),
    ],
)
def test_the_stronger_half_wins_more_often(pair, deals, players, least):
    """The seed is fixed, so the outcome is certain; `carteado arena mau-mau` measures over thousands."""
    assert share(pair, deals, players) > least


@pytest.mark.proof
@pytest.mark.parametrize(
    ("rival", "deals", "least"), [("random", 300, 0.9), ("greedy", 2_000, 0.52), ("simple", 3_000, 0.5)]
)
def test_the_strong_half_wins_over_many_matches(rival, deals, least):
    assert share(("strong", rival), deals) > least


def test_a_move_takes_far_less_than_its_time():
    """50 ms on average: measured as the machine's own time, so that a busy neighbour does not count."""
    match, chance, moves = ChanceMatch(GAME, 6, "quick"), random.Random(1), 0
    began_s = time.process_time()
    while moves < 25:
        strong.strong_move(GAME.view(match.state, Seat(match.state.to_play)), chance)
        match.step()
        moves += 1
    assert (time.process_time() - began_s) / moves < 0.05


@pytest.mark.parametrize("name", ROBOTS)
def test_b072_a_robot_decides_alike_in_states_that_its_seat_cannot_tell_apart(name):
    pairs = 0
    for number in range(40):
        match = ChanceMatch(
            GAME, 4 + number % 5, f"b072-{number}", {"call": "true"} if number % 4 == 0 else {}
        )
        for _ in range(number + 5):
            seat = Seat(match.state.to_play)
            twin = hidden_twin(match.state, seat, random.Random(pairs))
            chosen = [ROBOTS[name](GAME.view(state, seat), random.Random(7)) for state in (match.state, twin)]
            assert chosen[0] == chosen[1]
            pairs += 1
            match.step()
            if match.is_over:
                break
    assert pairs >= 200


@pytest.mark.parametrize("switches", [{}, {"call": "true"}, {"draw_rule": "until_playable"}], ids=str)
def test_b134_robots_of_every_strength_finish_their_matches(switches):
    """Never refused, never stuck, no card lost, with every number of players."""
    robots = list(ROBOTS.values())
    for number in range(10):
        players = 4 + number % 5
        owner = [(seat + number) % len(robots) for seat in range(players)]
        assert played(robots, owner, f"b134-{number}", switches).is_over


@pytest.mark.parametrize("name", ROBOTS)
def test_m08_robots_call_by_themselves(name):
    for seed in range(20):
        table = Table({0: "5O 6O"}, call="true")
        move = ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(seed))
        if isinstance(move, PlayCard):
            assert move.call


@pytest.mark.parametrize("name", ["simple", "strong"])
def test_m08_a_robot_accuses_who_has_forgotten_and_nobody_else(name):
    table = Table({3: "5O 2P", 0: "6O 2P 3C"}, to_play=3, call="true")
    table.play(3, "5O")
    move = ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(1))
    assert move == Accuse(11, 3)
    assert MAU_MAU_ROBOTS.goes_on(move)
    table.do(0, move)
    assert isinstance(ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(1)), PlayCard)


def test_what_is_punished_is_not_offered():
    match = ChanceMatch(GAME, 4, "offered", {"call": "true"})
    for _ in range(150):
        view = GAME.view(match.state, Seat(match.state.to_play))
        punished = {item.move for item in view.legal_moves if item.consequence}
        assert not punished & set(offered(view))
        match.step()


def test_after_a_draw_the_turn_goes_on_and_after_a_card_it_does_not():
    assert MAU_MAU_ROBOTS.goes_on(DrawCard(1))
    assert not any(map(MAU_MAU_ROBOTS.goes_on, [PlayCard(1, "4P"), Pass(1), TakePenalty(1)]))


@pytest.mark.parametrize("name", ["greedy", "simple", "strong"])
def test_a_robot_draws_only_where_it_must_and_keeps_its_jacks(name):
    table = Table({0: "JC 5O 2P"})
    move = ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(1))
    assert move == PlayCard(10, "5O")
    table = Table({0: "2P 3P"})
    assert ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(1)) == DrawCard(10)


@pytest.mark.parametrize("name", ["greedy", "simple", "strong"])
def test_a_robot_answers_a_seven_rather_than_take(name):
    table = Table({0: "7C 2P 3C", 1: "2C"}, top="7O", penalty=4)
    assert ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(1)) == PlayCard(10, "7C")
    table = Table({0: "2P 3C"}, top="7O", penalty=4)
    assert ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(1)) == TakePenalty(10)


@pytest.mark.parametrize("name", ROBOTS)
def test_who_is_not_to_play_has_nothing_to_do(name):
    with pytest.raises(ValueError, match="nothing to do"):
        ROBOTS[name](GAME.view(Table().state, Seat(2)), random.Random(1))


def test_the_strong_robot_keeps_a_jack_while_it_has_far_to_go():
    """After a draw it passes rather than play it, with cards of every suit left; with one card left it goes."""
    table = Table({0: "JC 2P 3C 4E 5P"}, top="9O", stock="AP")
    table.do(0, DrawCard(10))
    assert strong.strong_move(GAME.view(table.state, Seat(0)), random.Random(1)) == Pass(10)
    table = Table({0: "JC 2P", 1: "3P"}, top="9O")
    assert strong.strong_move(GAME.view(table.state, Seat(0)), random.Random(1)) == PlayCard(10, "JC", "P")


def test_the_strong_robot_stops_who_is_about_to_win_and_feeds_nobody_the_turn():
    """Beside a seat with one card it plays the seven at it, and no Queen that would bring that seat to play."""
    table = Table({0: "7O 3O 4P", 1: "2C", 3: "2P 3P 4P 5P"}, top="9O")
    assert strong.strong_move(GAME.view(table.state, Seat(0)), random.Random(1)) == PlayCard(10, "7O")
    table = Table({0: "QO 3O 4P 5C", 1: "2C 3C 4C 5C", 3: "2P"}, top="9O")
    assert strong.strong_move(GAME.view(table.state, Seat(0)), random.Random(1)) == PlayCard(10, "3O")
