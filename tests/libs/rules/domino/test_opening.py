"""Who opens a round, and with what (D-01, D-02, G-03)."""

import pytest

from libs.rules.domino.events import RoundDealt, RoundEnded
from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.tiles import NAMES
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from tests.libs.rules.domino.tables import PER_SEAT, SEATS, SECRET, ChanceMatch, Table, only


@pytest.mark.parametrize("holder", SEATS)
def test_d01_who_holds_the_6_6_opens_the_first_round_with_it(holder):
    table = Table({holder: "2-4 6-6 0-5"})
    assert table.state.to_play == holder
    assert table.choices(holder) == [("6-6", None)]
    assert all(table.choices(seat) == [] for seat in SEATS if seat != holder)
    assert table.refused(holder, table.move("2-4")) == "OPENING_TILE_REQUIRED"
    table.play(holder, "6-6")
    assert table.state.ends == (6, 6)


def test_b047_the_first_round_opens_with_6_6_and_no_later_one_must():
    table = Table({2: "5-6 6-6 0-3", 1: "0-0"})
    for seat in (0, 1, 3):
        assert table.refused(seat, table.move("6-6")) == "NOT_YOUR_TURN"
        assert table.refused(seat, table.move("0-0")) == "NOT_YOUR_TURN"
    assert table.refused(2, table.move("6-5")) == "OPENING_TILE_REQUIRED"
    assert table.play_automatically()[0].tile == "6-6"
    going_out = Table({0: "1-5 2-2", 1: "3-5", 2: "6-3", 3: "4-2"}, ends=(3, 4), to_play=1)
    ended = only(going_out.play(1, "3-5", "left"), RoundEnded)
    dealt = going_out.state.deal
    assert (ended.seat, dealt.round, dealt.starter, dealt.opening) == (1, 3, 1, None)
    assert going_out.state.to_play == 1
    assert going_out.choices(1) == [(tile, None) for tile in dealt.tiles[1]]
    for tile in dealt.tiles[1]:
        decision = GAME.decide(going_out.state, Seat(1), going_out.move(tile), going_out.draws)
        assert not isinstance(decision, Rejection)
    going_out.play(1, dealt.tiles[1][3])
    assert going_out.state.turn == 2


def test_d01_any_tile_opens_a_later_round():
    table = Table({0: "1-5", 1: "3-5 2-2", 2: "6-3", 3: "4-2"}, ends=(5, 4), to_play=0)
    table.play(0, "1-5", "left")
    held = table.state.deal.tiles[0]
    assert [tile for tile, _ in table.choices(0)] == list(held)


def test_d02_who_went_out_opens_the_next_round():
    for seat in SEATS:
        hands = {other: f"{other}-6" for other in SEATS}
        table = Table(hands, ends=(6, 5), to_play=seat)
        ended = only(table.play(seat, f"{seat}-6", "left"), RoundEnded)
        assert (ended.ending, ended.next_starter, table.state.to_play) == ("went_out", seat, seat)


@pytest.mark.parametrize(("played", "opens"), [((0, 1, 2, 3), 3), ((0, 3, 2, 1), 1), ((1, 2, 3, 0, 2), 3)])
def test_d02_after_a_block_the_member_of_the_winning_pair_who_played_last_opens(played, opens):
    """Seat 0 blocks, and its pair has more pips."""
    table = Table({0: "2-4 5-6", 1: "0-1", 2: "5-5", 3: "0-0"}, ends=(2, 4), to_play=0, played=played)
    ended = only(table.play(0, "2-4", "right"), RoundEnded)
    assert (ended.ending, ended.winner_side, ended.next_starter) == ("blocked", 1, opens)
    assert table.state.deal.starter == opens


def test_d02_who_blocks_opens_the_next_round_if_its_pair_wins():
    table = Table({0: "2-4 0-1", 1: "5-6", 2: "0-0", 3: "5-5"}, ends=(2, 4), to_play=0, played=(1, 2, 3))
    ended = only(table.play(0, "2-4", "right"), RoundEnded)
    assert (ended.winner_side, ended.next_starter) == (0, 0)


def test_all_28_tiles_are_dealt_seven_a_seat():
    dealt = ChanceMatch("deal").log[0]
    assert isinstance(dealt, RoundDealt)
    assert [len(tiles) for tiles in dealt.tiles] == [PER_SEAT] * 4
    assert sorted(tile for tiles in dealt.tiles for tile in tiles) == sorted(NAMES)


def test_g03_the_6_6_falls_to_each_seat_alike():
    counts = [0] * 4
    for number in range(800):
        state = GAME.initial(GAME.rule_set({}), 4)
        dealt = GAME.start(state, Draws(SECRET, f"first-{number}"))[0]
        counts[dealt.starter] += 1
    assert all(140 < count < 260 for count in counts)


def test_every_deal_of_a_match_can_be_repeated_from_its_secret():
    match = ChanceMatch("fair").play()
    state, deals = match.initial, 0
    for event in match.log:
        if isinstance(event, RoundDealt):
            deals += 1
            assert GAME.is_fair(event, state, match.draws)
            assert not GAME.is_fair(event, state, Draws(SECRET, "another"))
            other = RoundDealt(event.round, (event.starter + 1) % 4, event.opening, event.tiles)
            assert not GAME.is_fair(other, state, match.draws)
        else:
            assert GAME.is_fair(event, state, match.draws)
        state = GAME.evolve(state, event)
    assert deals > 1
