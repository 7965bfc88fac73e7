"""The robots of Sueca: worth their names over seeded matches, never refused, never stuck, quick."""

import random
import time

import pytest

from libs.cli.arena import Contest, contested
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from libs.rules.sueca.game import SUECA as GAME
from libs.rules.sueca.moves import PlayCard
from libs.rules.sueca.robots import ROBOTS
from libs.rules.sueca.robots.reading import read
from libs.rules.sueca.robots.worlds import draw
from tests.libs.rules.proof.matches import ChanceMatch
from tests.libs.rules.sueca.tables import Table


def share(pair, deals):
    """The share of the first robot over so many deals, each played twice."""
    return sum(tally.won for tally in contested(Contest("sueca", pair, seed=6), deals, 1)) / (2 * deals)


@pytest.mark.parametrize(
    ("pair", "deals", "least"),
    [
        (("simple", "random"), 40, 0.9),
        (("simple", "greedy"), 40, 0.7),
        (("strong", "random"), 3, 0.9),
        (("strong", "greedy"), 3, 0.6),
    ],
)
def test_each_robot_beats_the_weaker_ones(pair, deals, least):
    """The seed is fixed, so the outcome is certain; `carteado arena` measures over thousands."""
    assert share(pair, deals) >= least


def test_a_move_takes_far_less_than_its_time():
    """50 ms on average: measured as the machine's own time, so that a busy neighbour does not count."""
    match, chance = ChanceMatch(GAME, 4, "quick"), random.Random(1)
    began, moves = time.process_time(), 0
    for _ in range(80):
        if match.is_over:
            break
        seat = GAME.awaited(match.state).seats[0]
        assert ROBOTS["strong"](GAME.view(match.state, seat), chance) in [
            legal.move for legal in GAME.legal_moves(match.state, seat)
        ]
        moves += 1
        match.step()
    assert (time.process_time() - began) / moves < 0.05


def test_b134_robots_alone_finish_their_matches():
    """Every strength at once; never refused, never stuck."""
    names = list(ROBOTS)
    for number in range(4):
        draws, chance = Draws(bytes(32), f"b134-{number}"), random.Random(number)
        state = GAME.initial(GAME.rule_set({}), 4)
        for event in GAME.start(state, draws):
            state = GAME.evolve(state, event)
        for _ in range(3_000):
            if state.winner is not None:
                break
            seat = Seat(state.to_play)
            robot = ROBOTS[names[(seat + number) % 4]]
            decision = GAME.decide(state, seat, robot(GAME.view(state, seat), chance), draws)
            assert not isinstance(decision, Rejection), (number, seat, decision)
            for event in decision:
                state = GAME.evolve(state, event)
        assert state.winner is not None, f"match {number} is stuck"


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_refuses_a_seat_that_has_nothing_to_do(name):
    table = Table()
    for viewer in (1, None):
        with pytest.raises(ValueError, match="nothing to do"):
            ROBOTS[name](GAME.view(table.state, viewer), random.Random(1))


def test_points_go_to_the_partner_and_not_to_the_others():
    """Seat 2 holds the trick with the ace of copas: its partner gives the seven, an opponent what is cheapest."""
    simple = ROBOTS["simple"]
    giving = Table({1: "2C 3C", 2: "AC 4C", 3: "KC JC", 0: "7C 5C"}, dealer=0, trump="2E")
    giving.play("1:2C 2:AC 3:JC")
    assert simple(GAME.view(giving.state, Seat(0)), random.Random(1)) == giving.card("7C")
    keeping = Table({1: "2C 3C", 2: "AC 4C", 3: "7C 5C", 0: "KC 6C"}, dealer=0, trump="2E")
    keeping.play("1:2C 2:AC")
    assert simple(GAME.view(keeping.state, Seat(3)), random.Random(1)) == keeping.card("5C")


def test_the_strong_robot_does_not_trump_its_partners_ace():
    """Whatever the others hold the trick is its side's: a trump would be wasted, and no point lost."""
    table = Table({1: "2C 3C", 2: "AC", 3: "KC", 0: "AE 7E 2P 3P 4P 5P 2O 3O 4O"}, dealer=0, trump="2E")
    table.play("1:2C 2:AC 3:KC")
    for seed in range(3):
        move = ROBOTS["strong"](GAME.view(table.state, Seat(0)), random.Random(seed))
        assert move.card[1] != "E"


def test_the_worlds_fit_what_the_seat_has_seen():
    """All cards are somewhere once, each hand has its size, the dealer has the trump card, nobody a suit that is lacked."""
    chance = random.Random(5)
    for number in range(12):
        match = ChanceMatch(GAME, 4, f"worlds {number}").play(chance.randrange(38))
        seat = GAME.awaited(match.state).seats[0]
        reading = read(GAME.view(match.state, seat))
        for world in draw(reading, chance, 5):
            assert world[seat] == reading.hand
            assert [mask.bit_count() for mask in world] == list(reading.counts)
            assert world[0] | world[1] | world[2] | world[3] == match.state.unplayed
            for other in range(4):
                assert world[other] & reading.known[other] == reading.known[other]
                assert other == seat or not world[other] & reading.void[other] & reading.unseen


def test_only_the_view_is_looked_at():
    """The same view and chance give the same move (case B072)."""
    view = GAME.view(Table().state, Seat(0))
    for name, robot in ROBOTS.items():
        moves = {robot(view, random.Random(3)) for _ in range(2)}
        assert len(moves) == 1, name
        assert isinstance(moves.pop(), PlayCard)
