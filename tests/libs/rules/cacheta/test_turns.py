"""Drawing, taking, discarding and going out in turn (C-06, C-07), the deal (C-01, C-13) and the clock (G-06, G-08)."""

import pytest

from libs.rules.cacheta.events import CardDiscarded, CardDrawn, RoundDealt, RoundEnded, RoundVoided, WentOut
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import Discard, DrawStock, GoOut, TakeDiscard
from libs.rules.game import Seat
from libs.rules.shuffle import Draws
from tests.libs.rules.cacheta.tables import OUT_OF_NINE, SEATS, Table, only

FITS_TEN = "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa JOa QOa KOa"
"""Nine that fit; a fourth card of any of the three runs makes ten."""


def test_g03_c13_the_first_starter_is_drawn_each_seat_about_as_often():
    starters = [0, 0, 0, 0]
    for number in range(400):
        draws = Draws(number.to_bytes(32, "big"), "match")
        dealt = GAME.start(GAME.initial(GAME.rule_set({}), 4), draws)[0]
        starters[dealt.starter] += 1
    assert all(70 < count < 130 for count in starters)


@pytest.mark.parametrize("direction", ["cw", "ccw"])
def test_g02_turns_go_round_by_seat_number_whatever_the_direction(direction):
    table = Table(starter=2, direction=direction)
    for seat in (2, 3, 0, 1, 2):
        awaited = GAME.awaited(table.state)
        assert awaited is not None
        assert awaited.seats == (seat,)
        table.turn(seat)
    assert [GAME.side_of(seat) for seat in SEATS] == [0, 1, 2, 3]


def test_c07_one_card_is_drawn_and_one_discarded_and_the_first_player_finds_no_discard():
    table = Table(stock="9O 4E")
    assert table.refused(0, TakeDiscard(1, 1)) == "LIXO_EMPTY"
    drawn = only(table.draw(0), CardDrawn)
    assert drawn.card == "9Oa"
    assert table.state.hands[0][-1] == "9Oa"
    assert table.refused(0, DrawStock(1, 1)) == "STALE"
    assert table.refused(0, TakeDiscard(1, 1)) == "STALE"
    table.discard(0, "9O")
    assert table.state.discards == ("9Oa",)
    assert table.refused(1, Discard(1, 2, table.state.hands[1][0])) == "WRONG_PHASE"


def test_c07_a_discard_that_was_taken_may_be_discarded_again():
    table = Table(stock="9O")
    table.turn(0)
    table.take(1)
    assert table.state.discards == ()
    table.discard(1, "9O")
    assert table.state.discards == ("9Oa",)


def test_c07_after_600_turns_the_round_is_void():
    table = Table()
    for number in range(599):
        table.turn(number % 4)
    assert table.at == (1, 600)
    table.draw(3)
    events = table.discard(3, table.state.hands[3][-1])
    assert [type(event) for event in events] == [CardDiscarded, RoundVoided, RoundDealt]
    assert only(events, RoundVoided).reason == "turns"
    assert table.state.points == (10, 10, 10, 10)


def test_c07_the_window_of_the_600th_turn_is_played_too():
    table = Table()
    for number in range(599):
        table.turn(number % 4)
    table.announce(2)
    table.turn(3)
    assert table.state.may_claim == (0, 2)
    table.pass_jump(0)
    events = table.pass_jump(2)
    assert only(events, RoundVoided).reason == "turns"


def test_b061_c06_with_nine_the_others_lose_one_and_with_ten_two():
    nine = Table({2: OUT_OF_NINE}, starter=2, stock="9Ea")
    nine.draw(2)
    events = nine.out(2, "9E")
    assert only(events, WentOut).discard == "9Ea"
    assert only(events, RoundEnded).points == (9, 9, 10, 9)
    ten = Table({2: FITS_TEN}, starter=2, stock="5C")
    ten.draw(2)
    events = ten.out(2)
    assert only(events, WentOut).discard is None
    assert sorted(map(len, only(events, WentOut).melds)) == [3, 3, 4]
    assert only(events, RoundEnded).points == (8, 8, 10, 8)


def test_b061_c06_nine_without_a_discard_or_with_a_card_that_fits_nowhere_is_refused():
    table = Table({0: OUT_OF_NINE}, stock="9Ea")
    assert table.refused(0, GoOut(1, 1, "2Ca")) == "WRONG_PHASE"
    table.draw(0)
    assert table.refused(0, GoOut(1, 1)) == "DISCARD_REQUIRED"
    assert table.refused(0, GoOut(1, 1, "2Ca")) == "HAND_DOES_NOT_FIT"
    assert table.refused(0, GoOut(1, 1, "JKa")) == "CARD_NOT_IN_HAND"
    loose = Table({0: "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa JOa QOa 4Eb"}, stock="9Ea")
    loose.draw(0)
    assert loose.refused(0, GoOut(1, 1)) == "HAND_DOES_NOT_FIT"
    assert loose.refused(0, GoOut(1, 1, "9Ea")) == "HAND_DOES_NOT_FIT"
    # Nobody is burnt by that (C-06), and the turn goes on.
    assert loose.state.burnt == ()
    loose.discard(0, "9E")


def test_c06_who_can_lay_down_ten_does_whatever_discard_is_named():
    table = Table({0: FITS_TEN}, stock="5C")
    table.draw(0)
    assert set(table.legal(0)) >= {GoOut(1, 1), GoOut(1, 1, "5Ca"), GoOut(1, 1, "7Pa")}
    events = table.out(0, "7P")
    assert only(events, WentOut).discard is None
    assert only(events, RoundEnded).lost == 2


def test_c06_one_may_go_out_with_a_discard_taken_in_turn():
    table = Table({1: "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa JOa QOa 9Ea"}, stock="KOa")
    table.turn(0)
    table.take(1)
    events = table.out(1, "9E")
    assert only(events, RoundEnded).winner == 1
    assert only(events, WentOut).claimed is None


@pytest.mark.parametrize(("draw_seconds", "play_seconds"), [("30", "60"), ("5", "5"), ("600", "600")])
def test_g06_the_draw_and_the_discard_have_their_own_times(draw_seconds, play_seconds):
    """Both are switches (G-06, G-06b)."""
    table = Table(draw_seconds=draw_seconds, play_seconds=play_seconds)
    drawing = GAME.awaited(table.state)
    table.draw(0)
    playing = GAME.awaited(table.state)
    assert drawing is not None
    assert playing is not None
    assert (str(drawing.seconds), str(playing.seconds)) == (draw_seconds, play_seconds)
    assert drawing.moment != playing.moment
    assert not drawing.is_answer
    assert not playing.is_answer


def test_g08_when_time_is_up_the_stock_is_drawn_and_the_drawn_card_discarded():
    table = Table(stock="9O 4E")
    table.turn(0)
    assert GAME.automatic_move(table.state, Seat(1)) == DrawStock(1, 2)
    table.draw(1)
    assert GAME.automatic_move(table.state, Seat(1)) == Discard(1, 2, "4Ea")
    with pytest.raises(ValueError, match="not awaited"):
        GAME.automatic_move(table.state, Seat(2))


def test_g08_a_taken_card_is_discarded_again():
    table = Table(stock="9O")
    table.turn(0)
    table.take(1)
    assert GAME.automatic_move(table.state, Seat(1)) == Discard(1, 2, "9Oa")


def test_g08_when_time_is_up_a_hand_that_fits_goes_out():
    nine = Table({0: OUT_OF_NINE}, stock="9Ea")
    nine.draw(0)
    assert GAME.automatic_move(nine.state, Seat(0)) == GoOut(1, 1, "9Ea")
    ten = Table({0: FITS_TEN}, stock="5C")
    ten.draw(0)
    assert GAME.automatic_move(ten.state, Seat(0)) == GoOut(1, 1)
