"""The robots of Cacheta: what they do with a hand, and which half of a table wins."""

import random
import time

import msgspec
import pytest

from libs.rules.cacheta.cards import WILDS
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.layout import layout
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.cacheta.robots import CACHETA_ROBOTS, ROBOTS
from libs.rules.cacheta.robots.reading import lying_now, reading
from libs.rules.game import Rejection
from tests.libs.rules.cacheta.tables import NA_BOA, OUT_OF_NINE, RobotsMatch, Table, cards

RULES = GAME.rule_set({})
SOUND = ("simple", "strong")
THINKING = ("greedy", *SOUND)


def chosen(robot, table, seat):
    return ROBOTS[robot](GAME.view(table.state, seat), random.Random(1))


def halves(first, second, matches, points=(2, 2, 2, 2)):
    """How many of so many matches the half of the first robot wins, a draw as half a match."""
    won = 0.0
    for number in range(matches):
        pair = (first, second) if number % 2 == 0 else (second, first)
        match = RobotsMatch(f"{first} {second} {number // 2}", points=points, robots=pair * 2, blunders=0)
        while not match.is_over:
            match.step()
        winners = GAME.result(match.state).winners
        won += 0.5 if not winners else float(pair[winners[0] % 2] == first)
    return won


@pytest.mark.parametrize("robot", THINKING)
def test_a_robot_goes_out_when_it_can_and_with_ten_rather_than_nine(robot):
    nine = Table({0: OUT_OF_NINE}, stock="9Ea")
    nine.draw(0)
    assert chosen(robot, nine, 0) == GoOut(1, 1, "9Ea")
    ten = Table({0: OUT_OF_NINE}, stock="5C")
    ten.draw(0)
    assert chosen(robot, ten, 0) == GoOut(1, 1)


@pytest.mark.parametrize("robot", THINKING)
def test_a_robot_claims_exactly_what_goes_out(robot):
    table = Table({3: NA_BOA, 1: "2Pa 3Pa 9Oa TCa KEa 7Ea 4Oa 9Pa QPa"}, stock="KO")
    table.announce(2, 3)
    table.turn(0)
    assert chosen(robot, table, 3) == JumpQueue(1, 1)
    assert chosen(robot, table, 1) == PassJump(1, 1)
    assert chosen(robot, table, 2) == PassJump(1, 1)


@pytest.mark.parametrize("robot", SOUND)
def test_a_robot_says_that_it_is_na_boa_and_then_discards_what_lies_nowhere(robot):
    table = Table({0: "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa JOa QOa 4Eb"}, stock="9Ea")
    table.draw(0)
    assert chosen(robot, table, 0) == AnnounceNaBoa(1)
    assert CACHETA_ROBOTS.goes_on(AnnounceNaBoa(1))
    table.announce(0)
    move = chosen(robot, table, 0)
    assert move in {Discard(1, 1, "9Ea"), Discard(1, 1, "4Eb")}
    assert not CACHETA_ROBOTS.goes_on(move)


@pytest.mark.parametrize("robot", THINKING)
def test_a_robot_takes_a_discard_that_makes_a_meld_and_leaves_one_that_does_not(robot):
    hand = "2Ca 3Ca 6Pa 7Pa JOa QOa 9Ea KEa 5Cb"
    good = Table({1: hand}, stock="8P")
    good.turn(0)
    assert chosen(robot, good, 1) == TakeDiscard(1, 2)
    bad = Table({1: hand}, stock="TEb")
    bad.turn(0)
    assert chosen(robot, bad, 1) == DrawStock(1, 2)


@pytest.mark.parametrize("robot", THINKING)
def test_a_robot_takes_a_wild_and_never_discards_one(robot):
    table = Table({1: "AC AC 3E 5O 7P 9C JE KO 6C"}, vira="KCa", stock="AO 2P")
    table.turn(0)
    assert chosen(robot, table, 1) == TakeDiscard(1, 2)
    table.take(1)
    move = chosen(robot, table, 1)
    assert isinstance(move, Discard | AnnounceNaBoa)
    assert not isinstance(move, Discard) or move.card not in WILDS["KCa"]


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_makes_legal_moves_only_and_the_same_view_and_seed_give_the_same_one(robot):
    match = RobotsMatch(
        f"legal {robot}", points=(2, 2, 2, 2), robots=(robot, "simple", robot, "simple"), blunders=0
    )
    for number in range(400):
        awaited = GAME.awaited(match.state)
        if awaited is None:
            break
        for seat in awaited.seats:
            view = GAME.view(match.state, seat)
            move = ROBOTS[robot](view, random.Random(number))
            assert ROBOTS[robot](view, random.Random(number)) == move
            assert {item.move: item.consequence for item in view.legal_moves}[move] == ""
            assert not isinstance(GAME.decide(match.state, seat, move, match.draws), Rejection)
        match.step()


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_has_nothing_to_say_where_its_seat_has_nothing_to_do(robot):
    table = Table()
    table.announce(2)
    for viewer in (2, None):
        with pytest.raises(ValueError, match="nothing to do"):
            ROBOTS[robot](GAME.view(table.state, viewer), random.Random(1))


@pytest.mark.parametrize("robot", ROBOTS)
def test_b072_a_robot_is_given_no_card_that_its_seat_may_not_see(robot):
    """The same view over other hidden cards gives the same move."""
    match = RobotsMatch("hidden from robots", points=(3, 3, 3, 3))
    for _ in range(60):
        match.step()
    seat = GAME.awaited(match.state).seats[0]
    stock = match.state.stock[::-1]
    other = msgspec.structs.replace(match.state, stock=stock)
    one = ROBOTS[robot](GAME.view(match.state, seat), random.Random(5))
    assert ROBOTS[robot](GAME.view(other, seat), random.Random(5)) == one


def test_the_reading_of_a_hand_says_how_many_cards_are_missing():
    """Where eight lie, or nine, some card more goes out."""
    chance = random.Random("reading")
    near = 0
    for _ in range(60):
        first = chance.randrange(8)
        hand = tuple(chance.sample(cards_of(first), 9))
        vira = "KEb"
        lying = lying_now(hand, vira)
        if lying >= 8:
            near += 1
            one_more = ((*hand, card) for card in ALL if card not in hand)
            assert any(layout(RULES, vira, ten).goes_out for ten in one_more)
    assert near > 5


ALL = [rank + suit + "a" for suit in "PCEO" for rank in "A23456789TJQK"]


def cards_of(first):
    """Some ranks of two suits, both packs."""
    ranks = "A23456789TJQK"[first : first + 5]
    return [rank + suit + pack for suit in "CO" for rank in ranks for pack in "ab"]


def test_a_reading_knows_what_is_left_after_each_discard():
    hand = cards("2C 3C 4C 6P 7P 8P JO QO 4E 9E")
    found = reading(hand, "TEa")
    assert found.lying[-1] == found.lying[-2] == 8
    assert found.lying[0] < 8
    missing = [rank + suit for suit in "PCEO" for rank in "A23456789TJQK"]
    helpers = {missing[number] for number in range(52) if found.helpers[-1] >> number & 1}
    assert {"KO", "TO"} <= helpers


def test_at_least_nine_of_ten_matches_are_won_against_play_by_chance():
    assert halves("strong", "random", 10) >= 9


def test_more_than_half_are_won_against_greedy():
    assert halves("strong", "greedy", 10) > 5
    assert halves("simple", "greedy", 10) > 5


@pytest.mark.parametrize("robot", SOUND)
def test_a_robot_thinks_far_less_than_50_ms_on_average(robot):
    match = RobotsMatch(f"quick {robot}", robots=(robot,) * 4, blunders=0)
    began_s, moves = time.process_time(), 0
    while moves < 150 and not match.is_over:
        match.step()
        moves += 1
    assert (time.process_time() - began_s) / moves < 0.05
