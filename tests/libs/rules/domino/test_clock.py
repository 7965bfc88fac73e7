"""What the match waits for, and what is played when time is up (G-06, G-08, G-10)."""

import pytest

from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.moves import PlayTile
from libs.rules.game import Rejection, Seat
from tests.libs.rules.domino.tables import SEATS, ChanceMatch, Table, passes, stored


def moment(table):
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    return awaited.moment


def test_g08_the_clock_opens_the_first_round_with_the_6_6():
    table = Table({2: "0-1 6-6 5-4"})
    assert GAME.automatic_move(table.state, Seat(2)) == PlayTile(1, 1, "6-6")


def test_g08_the_clock_plays_the_last_tile_that_fits_as_dealt_to_the_left_if_it_fits_both():
    table = Table({0: "3-4 3-5 0-5 1-1", 1: "6-6", 2: "2-2", 3: "4-4"}, ends=(3, 5), to_play=0)
    assert table.play_automatically()[0].tile == "0-5"
    assert table.state.ends == (3, 0)
    table = Table({0: "0-5 3-5 1-1", 1: "6-6", 2: "2-2", 3: "4-4 5-5"}, ends=(3, 5), to_play=0)
    assert table.play_automatically()[0].end == "left"
    assert table.state.ends == (5, 5)


def test_g08_the_clock_opens_a_later_round_with_the_last_tile_as_dealt():
    table = Table({0: "1-5", 1: "3-4", 2: "6-3", 3: "4-2"}, ends=(5, 4), to_play=0)
    table.play(0, "1-5", "left")
    dealt = table.state.deal.tiles[0]
    assert GAME.automatic_move(table.state, Seat(0)) == PlayTile(3, 1, dealt[-1])


def test_g08_the_same_state_is_played_alike():
    def events():
        table = Table({0: "3-4 3-5 0-5 1-1", 1: "6-6", 2: "2-2", 3: "4-4"}, ends=(3, 5), to_play=0)
        return [stored(event) for event in table.play_automatically()]

    assert events() == events()


def test_there_is_no_automatic_move_for_a_seat_that_is_not_awaited():
    table = Table({0: "6-6"})
    for seat in (1, 2, 3):
        with pytest.raises(ValueError, match="not awaited"):
            GAME.automatic_move(table.state, Seat(seat))


def test_g06_a_tile_has_twenty_seconds_unless_the_table_says_otherwise():
    """`card_seconds` is 20; another value is taken too."""
    for seconds in (20, 5, 600):
        awaited = GAME.awaited(Table(card_seconds=str(seconds)).state)
        assert awaited is not None
        assert (awaited.seconds, awaited.is_answer) == (seconds, False)


def test_g06_a_pass_is_no_automatic_play_and_takes_no_time():
    """It comes with the tile before it: nobody's clock runs, so the table has no strike to count."""
    table = Table({0: "3-4 5-6", 1: "2-2 0-1", 2: "3-3", 3: "6-6"}, ends=(3, 6), to_play=0)
    before = moment(table)
    assert passes(table.play(0, "5-6", "right")) == [1]
    assert moment(table) != before
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (2,)


def test_g10_each_tile_starts_a_clock_anew_also_for_the_same_seat():
    table = Table({0: "1-3 1-1 2-2", 1: "0-0", 2: "0-4", 3: "4-4"}, ends=(3, 1), to_play=0)
    before = moment(table)
    table.play(0, "1-3", "left")
    assert table.state.to_play == 0
    assert moment(table) != before


def test_nothing_is_awaited_before_the_first_deal():
    assert GAME.awaited(GAME.initial(GAME.rule_set({}), 4)) is None


def test_b081_the_automatic_move_is_always_legal():
    states = 0
    for number in range(40):
        match = ChanceMatch(f"b081-{number}")
        while (awaited := GAME.awaited(match.state)) is not None:
            (seat,) = awaited.seats
            move = GAME.automatic_move(match.state, seat)
            assert move in [item.move for item in GAME.legal_moves(match.state, seat)]
            assert not isinstance(GAME.decide(match.state, seat, move, match.draws), Rejection)
            states += 1
            match.step()
    assert states > 2_000


def test_a_match_that_the_clock_plays_alone_ends():
    match = ChanceMatch("clock alone")
    while (awaited := GAME.awaited(match.state)) is not None:
        (seat,) = awaited.seats
        decision = GAME.decide(match.state, seat, GAME.automatic_move(match.state, seat), match.draws)
        assert not isinstance(decision, Rejection)
        match.apply(decision)
    assert GAME.result(match.state) is not None
    assert all(GAME.legal_moves(match.state, seat) == () for seat in SEATS)
