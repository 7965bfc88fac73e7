"""What the match waits for, and what is played when time is up."""

import pytest

from libs.rules.game import Seat
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import PlayCard
from tests.libs.rules.truco.tables import (
    SWITCH_VALUES,
    ChanceMatch,
    Table,
    stored,
)


def moment(table):
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    return awaited.moment


def test_b039_r22_the_clock_plays_the_last_card_as_dealt_and_open():
    table = Table({0: "KC", 1: "7C 3E 4P"})
    table.play(0, "KC")
    assert GAME.automatic_move(table.state, Seat(1)) == PlayCard(1, 1, card="4P", covered=False)
    first = [stored(event) for event in table.do(1, GAME.automatic_move(table.state, Seat(1)))]
    again = Table({0: "KC", 1: "7C 3E 4P"})
    again.play(0, "KC")
    assert [stored(event) for event in again.do(1, GAME.automatic_move(again.state, Seat(1)))] == first


def test_r22_cards_already_played_do_not_count():
    table = Table({0: "KC 4C 3C", 1: "4P", 2: "4E", 3: "6P"})
    table.play_trick("0:3C 1:4P 2:4E 3:6P")
    assert GAME.automatic_move(table.state, Seat(0)) == PlayCard(1, 2, card="4C")


def test_there_is_no_automatic_move_for_a_seat_that_is_not_awaited():
    table = Table()
    for seat in (1, 2, 3):
        with pytest.raises(ValueError, match="not awaited"):
            GAME.automatic_move(table.state, Seat(seat))
    table.call(0, 3)
    for seat in (0, 2):
        with pytest.raises(ValueError, match="not awaited"):
            GAME.automatic_move(table.state, Seat(seat))


def test_g10_the_player_s_clock_stops_for_an_answer_and_starts_anew_after_it():
    table = Table()
    before = moment(table)
    table.call(0, 3)
    asked = moment(table)
    table.accept(1)
    after = GAME.awaited(table.state)
    assert after is not None
    assert len({before, asked, after.moment}) == 3
    assert (after.seats, after.is_answer, after.seconds) == ((0,), False, 20)


def test_g10_a_counter_raise_has_a_clock_of_its_own():
    table = Table()
    table.call(0, 3)
    asked = moment(table)
    table.call(1, 6)
    assert moment(table) != asked
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (2, 0)


def test_g10_another_seat_s_raise_stops_the_player_s_clock_too():
    table = Table(raise_window="anytime")
    before = moment(table)
    table.call(3, 3)
    table.accept(0)
    assert moment(table) != before
    assert table.state.to_play == 0


def test_g06_a_card_has_twenty_seconds_unless_the_table_says_otherwise():
    for seconds in (20, 5, 600):
        awaited = GAME.awaited(Table(card_seconds=str(seconds)).state)
        assert awaited is not None
        assert awaited.seconds == seconds


def test_nothing_is_awaited_before_the_first_deal():
    assert GAME.awaited(GAME.initial(GAME.rule_set({}), 4)) is None


def test_b081_the_automatic_move_is_always_legal():
    states = 0
    number = 0
    while states < 2_000:
        switches = {name: values[number % len(values)] for name, values in SWITCH_VALUES.items()}
        score = [(0, 0), (11, 3), (5, 11), (11, 11), (9, 10)][number % 5]
        match = ChanceMatch(f"b081-{number}", switches, score)
        number += 1
        while (awaited := GAME.awaited(match.state)) is not None:
            for seat in awaited.seats:
                move = GAME.automatic_move(match.state, seat)
                assert move in [
                    legal.move for legal in GAME.legal_moves(match.state, seat) if not legal.consequence
                ]
                decision = GAME.decide(match.state, seat, move, match.draws)
                assert isinstance(decision, tuple), f"{match.seed}: {move} is refused: {decision}"
            states += 1
            match.step()
