"""The robots: worth their names over seeded matches, quick, and true to what passes tell."""

import random
import time

import pytest
from msgspec.structs import replace

from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.robots import ROBOTS
from libs.rules.domino.robots.equity import equity
from libs.rules.domino.robots.playout import FITTING, PLACES, WEIGHED, mask_of, outcome
from libs.rules.domino.robots.simple import lacking_numbers
from libs.rules.domino.robots.strong import strong_move
from libs.rules.domino.robots.worlds import Worlds
from libs.rules.domino.tiles import HALVES, NAMES, PIPS
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from tests.libs.rules.domino.tables import SEATS, SECRET, ChanceMatch, Table, conserved


def played(pair, number, swapped, robots=ROBOTS):
    """The side that wins the match of this number: the first robot sits at the even seats, or at the odd ones."""
    draws, chance = Draws(SECRET, f"arena-{number}"), random.Random(f"arena {number}")
    state = GAME.initial(GAME.rule_set({}), 4)
    for event in GAME.start(state, draws):
        state = GAME.evolve(state, event)
    while (awaited := GAME.awaited(state)) is not None:
        (seat,) = awaited.seats
        robot = robots[pair[(seat + swapped) % 2]]
        decision = GAME.decide(state, seat, robot(GAME.view(state, seat), chance), draws)
        assert not isinstance(decision, Rejection)
        for event in decision:
            state = GAME.evolve(state, event)
    return state.winner


def share(pair, deals):
    """The share of the first robot over so many deals, each played with the seats swapped too."""
    won = sum(played(pair, number, swapped) == swapped for number in range(deals) for swapped in (0, 1))
    return won / (2 * deals)


@pytest.mark.parametrize(
    ("pair", "deals", "least"),
    [
        (("strong", "random"), 15, 0.7),
        (("strong", "greedy"), 15, 0.55),
        (("simple", "greedy"), 100, 0.55),
        (("simple", "random"), 100, 0.7),
        (("greedy", "random"), 100, 0.55),
    ],
)
def test_the_stronger_wins_more_often(pair, deals, least):
    """The seed is fixed, so the outcome is certain; `carteado arena` measures over thousands."""
    assert share(pair, deals) >= least


@pytest.mark.proof
@pytest.mark.parametrize(("rival", "least"), [("random", 0.7), ("greedy", 0.5), ("simple", 0.5)])
def test_the_strong_one_wins_over_many_matches(rival, least):
    assert share(("strong", rival), 250) > least


def test_b134_robots_of_every_strength_finish_their_matches():
    """Never refused, never stuck, no tile lost."""
    names = list(ROBOTS)
    for number in range(20):
        draws, chance = Draws(SECRET, f"b134-{number}"), random.Random(number)
        state = GAME.initial(GAME.rule_set({}), 4)
        for event in GAME.start(state, draws):
            state = GAME.evolve(state, event)
        while (awaited := GAME.awaited(state)) is not None:
            (seat,) = awaited.seats
            robot = ROBOTS[names[(seat + number) % 4]] if number < 6 else ROBOTS[names[(seat + number) % 3]]
            decision = GAME.decide(state, seat, robot(GAME.view(state, seat), chance), draws)
            assert not isinstance(decision, Rejection)
            for event in decision:
                state = GAME.evolve(state, event)
                conserved(state)
        assert max(state.score) >= 50


def test_a_move_takes_far_less_than_its_time():
    """50 ms on average: measured as the machine's own time, so that a busy neighbour does not count."""
    match = ChanceMatch("quick")
    chance = random.Random(1)
    moves, began_s = 0, time.process_time()
    while (awaited := GAME.awaited(match.state)) is not None and moves < 80:
        strong_move(GAME.view(match.state, awaited.seats[0]), chance)
        match.step()
        moves += 1
    assert (time.process_time() - began_s) / moves < 0.05


@pytest.mark.parametrize("name", ROBOTS)
def test_the_same_view_and_seed_give_the_same_move_and_a_spectator_none(name):
    match = ChanceMatch("same")
    for _ in range(6):
        match.step()
    seat = GAME.awaited(match.state).seats[0]
    view = GAME.view(match.state, seat)
    assert len({ROBOTS[name](view, random.Random(4)) for _ in range(3)}) == 1
    for viewer in (None, *(other for other in SEATS if other != seat)):
        with pytest.raises(ValueError, match="nothing to do"):
            ROBOTS[name](GAME.view(match.state, viewer), random.Random(4))


def test_the_hands_that_it_imagines_are_possible_for_all_that_it_saw():
    """The true hands are among them: nobody holds what it has passed at, nothing is held twice."""
    with_passes = 0
    for number in range(60):
        match = ChanceMatch(f"worlds-{number}")
        for _ in range(number % 22):
            match.step()
        seat = GAME.awaited(match.state).seats[0]
        view = GAME.view(match.state, seat)
        lacking = lacking_numbers(view)
        with_passes += bool(view.passes)
        for other in SEATS:
            held = match.state.deal.tiles[other]
            lying = {play.tile for play in view.plays}
            assert all(lacking[other].isdisjoint(HALVES[tile]) for tile in held if tile not in lying)
        chance = random.Random(number)
        for world in (Worlds(view).draw(chance) for _ in range(4)):
            assert world[seat] == mask_of(view.hands[seat].tiles)
            assert [hand.bit_count() for hand in world] == [hand.count for hand in view.hands]
            assert sum(world) == mask_of(
                [tile for tile in NAMES if tile not in {play.tile for play in view.plays}]
            )
            for other in SEATS:
                tiles = [WEIGHED[place] for place in range(28) if world[other] >> place & 1]
                assert all(lacking[other].isdisjoint(HALVES[tile]) for tile in tiles)
    assert with_passes > 20


def test_where_luck_fails_it_still_finds_hands_that_are_possible():
    class Unlucky(random.Random):
        """Always deals to the last who may hold a tile."""

        def random(self):
            return 0.999999

    found = 0
    for number in range(60):
        match = ChanceMatch(f"unlucky-{number}")
        for _ in range(14):
            match.step()
        seat = GAME.awaited(match.state).seats[0]
        view = GAME.view(match.state, seat)
        world = Worlds(view).draw(Unlucky())
        assert [hand.bit_count() for hand in world] == [hand.count for hand in view.hands]
        found += 1
    assert found == 60


def test_a_pass_tells_what_a_seat_does_not_hold():
    table = Table({0: "6-6 1-6 2-6 3-6 4-6 5-6 5-5", 1: "0-0 0-1 0-2 0-3 0-4 0-5 1-1", 2: "0-6"})
    table.play(0, "6-6")
    table.play(2, "0-6", "right")
    assert [passed.seat for passed in table.state.passes] == [1, 3]
    lacking = lacking_numbers(GAME.view(table.state, Seat(0)))
    assert lacking == (frozenset(), {6}, frozenset(), {0, 6})


@pytest.mark.parametrize("name", ["simple", "strong"])
def test_what_passes_tell_changes_what_it_plays(name):
    different = 0
    for number in range(60):
        match = ChanceMatch(f"evidence-{number}")
        for _ in range(11):
            match.step()
        seat = GAME.awaited(match.state).seats[0]
        view = GAME.view(match.state, seat)
        if view.passes:
            blind = replace(view, passes=())
            different += ROBOTS[name](view, random.Random(1)) != ROBOTS[name](blind, random.Random(1))
    assert different >= 3


def test_it_goes_out_when_it_can():
    table = Table({0: "1-2 0-0", 1: "5-5 1-6", 2: "6-3", 3: "4-5"}, ends=(2, 4), to_play=0)
    for name in ("greedy", "simple", "strong"):
        assert ROBOTS[name](GAME.view(table.state, Seat(0)), random.Random(2)).tile == "1-2"


def test_its_playout_ends_rounds_as_the_rules_do():
    assert [PIPS[tile] for tile in WEIGHED] == sorted(PIPS.values())
    assert FITTING[2][4] == mask_of([tile for tile in NAMES if set(HALVES[tile]) & {2, 4}])
    hands = [0, mask_of(["5-5", "0-1"]), mask_of(["3-6"]), mask_of(["2-4"])]
    assert outcome(hands, 0, (1, 4)) == (0, 17)
    blocked = [mask_of([tile]) for tile in ("0-1", "0-5", "5-6", "0-6")]
    assert outcome(blocked, 0, (2, 2)) == (1, 12)
    tied = [mask_of([tile]) for tile in ("0-1", "0-5", "5-5", "0-6")]
    assert outcome(tied, 0, (2, 2)) == (1, 11)
    assert outcome(tied, 1, (2, 2)) == (0, 11)
    assert PLACES["6-6"] == 27


def test_its_playout_is_the_rules_played_by_the_heaviest_tile():
    """From any point the engine, played on plainly, ends the round as the playout says."""
    for number in range(40):
        match = ChanceMatch(f"playout-{number}")
        for _ in range(1 + number % 15):
            match.step()
        if match.state.turn == 1:
            continue
        hands = [
            mask_of(
                [
                    tile
                    for tile in match.state.deal.tiles[seat]
                    if tile not in {p.tile for p in match.state.plays}
                ]
            )
            for seat in SEATS
        ]
        expected = outcome(hands, match.state.plays[-1].seat, match.state.ends)
        while True:
            seat = match.state.to_play
            moves = [item.move for item in GAME.legal_moves(match.state, Seat(seat))]
            left = match.state.ends[0]
            heaviest = max(
                moves,
                key=lambda move: (PLACES[move.tile], (move.end == "left") == (left in HALVES[move.tile])),
            )
            decision = GAME.decide(match.state, Seat(seat), heaviest, match.draws)
            match.apply(decision)
            if len(decision) > 1 and hasattr(decision[1], "winner_side"):
                assert (decision[1].winner_side, decision[1].points) == expected
                break


def test_a_score_is_worth_more_the_nearer_it_is_to_the_end():
    assert equity(20, 20) == pytest.approx(0.5)
    assert (equity(50, 3), equity(3, 60)) == (1.0, 0.0)
    for ours in range(0, 49, 7):
        for theirs in range(0, 49, 7):
            assert equity(ours, theirs) < equity(ours + 8, theirs)
            assert equity(ours, theirs + 8) < equity(ours, theirs)


def test_the_strengths_are_ordered_from_weak_to_strong():
    assert list(ROBOTS) == ["random", "greedy", "simple", "strong"]
