"""The call "mau-mau" and the accusations, where a table plays with them (M-08)."""

import pytest

from libs.rules.game import Seat
from libs.rules.mau_mau.events import Accused, CardsDrawn, MatchEnded, MauMauCalled
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import Accuse, PlayCard
from tests.libs.rules.mau_mau.tables import Table, only


def calling(hands=None, **options):
    return Table({0: "5O 2P", **(hands or {})}, call="true", **options)


def consequences(table, seat):
    return {item.move: item.consequence for item in GAME.legal_moves(table.state, Seat(seat))}


def test_m08_without_the_switch_nobody_calls_or_accuses():
    """call false."""
    table = Table({0: "5O 2P"}, call="false")
    assert table.refused(0, table.card("5O", call=True)) == "CALL_NOT_PLAYED"
    assert table.refused(1, Accuse(10, 0)) == "CALL_NOT_PLAYED"
    table.play(0, "5O")
    assert table.state.forgot_seat is None
    assert consequences(table, 2) == {}


def test_m08_a_call_with_two_cards_costs_nothing():
    """call true."""
    table = calling()
    events = table.play(0, "5O", call=True)
    assert events[0] == MauMauCalled(10, 0, False)
    assert table.counts[0] == 1
    assert table.state.forgot_seat is None


def test_m08_who_forgets_is_accused_by_any_other_and_draws_five():
    table = calling()
    table.play(0, "5O")
    assert table.state.forgot_seat == 0
    assert table.refused(0, Accuse(11, 0)) == "NO_SUCH_SEAT"
    assert consequences(table, 3)[Accuse(11, 0)] == ""
    events = table.accuse(3, 0)
    assert events[0] == Accused(11, 3, 0, False)
    drawn = only(events, CardsDrawn)
    assert (drawn.seat, len(drawn.cards), drawn.reason) == (0, 5, "forgotten_call")
    assert table.counts[0] == 6
    assert (table.state.to_play, table.state.turn) == (1, 11)


def test_m08_two_who_accuse_at_once_are_not_both_judged():
    table = calling()
    table.play(0, "5O")
    table.accuse(3, 0)
    assert table.refused(2, Accuse(11, 0)) == "ALREADY_ACCUSED"


@pytest.mark.parametrize("way", ["play", "pass", "take"])
def test_m08_once_the_next_seat_has_played_or_passed_it_is_too_late(way):
    cards = {"play": {1: "6O 6P 6E"}, "pass": {1: "6P 6E 6C"}, "take": {0: "7O 2P", 1: "6P 6E 6C"}}[way]
    table = calling(cards, stock="3P 3E 3C 3P 3E 2E 2E")
    table.play(0, "7O" if way == "take" else "5O")
    if way == "play":
        table.play(1, "6O")
    elif way == "take":
        table.take(1)
    else:
        table.draw(1)
        assert table.state.forgot_seat == 0
        table.pass_turn(1)
    assert table.state.forgot_seat is None
    assert table.refused(3, Accuse(11, 0)) == "STALE"
    assert consequences(table, 3)[Accuse(12, 0)] == "draws_five"


def test_m08_a_false_accusation_draws_five_oneself():
    table = calling()
    table.play(0, "5O", call=True)
    assert consequences(table, 2)[Accuse(11, 0)] == "draws_five"
    events = table.accuse(2, 0)
    assert events[0] == Accused(11, 2, 0, True)
    drawn = only(events, CardsDrawn)
    assert (drawn.seat, len(drawn.cards), drawn.reason) == (2, 5, "false_accusation")
    assert table.counts == [1, 2, 7, 2]


def test_m08_an_accusation_of_who_has_more_cards_is_false():
    table = calling({0: "5O 6O 2P"})
    table.play(0, "5O")
    table.accuse(1, 0)
    assert table.counts == [2, 7, 2, 2]
    assert table.refused(1, Accuse(11, 9)) == "NO_SUCH_SEAT"


def test_m08_a_false_accusation_leaves_the_true_one_open():
    table = calling()
    table.play(0, "5O")
    table.accuse(2, 3)
    assert table.state.forgot_seat == 0
    table.accuse(3, 0)
    assert table.counts == [6, 2, 7, 2]


@pytest.mark.parametrize("hand", ["5O 6O 2P", "5O"])
def test_m08_a_call_with_any_other_number_of_cards_draws_five_and_the_card_is_played(hand):
    table = calling({0: hand})
    before = table.counts[0]
    assert consequences(table, 0)[PlayCard(10, "5O", None, True)] == "draws_five"
    events = table.play(0, "5O", call=True)
    assert events[0] == MauMauCalled(10, 0, True)
    assert only(events, CardsDrawn).reason == "false_call"
    assert table.counts[0] == before + 5 - 1
    assert not table.state.is_over


def test_m08_a_false_call_with_a_last_jack_leaves_a_jack_that_names_a_suit():
    table = calling({0: "JC"})
    assert table.refused(0, table.card("JC", call=True)) == "SUIT_REQUIRED"
    table.play(0, "JC", "E", call=True)
    assert (table.counts[0], table.state.suit) == (5, "E")


def test_m08_a_false_call_that_finds_no_cards_costs_none():
    table = calling({0: "5O"}, rest=3)
    assert table.play(0, "5O", call=True)[-1] == MatchEnded(0, (0, 2, 2, table.counts[3]))


def test_m08_a_call_counts_for_one_play():
    table = calling({0: "5O 6O", 1: "8O . .", 2: "8C . .", 3: "8E . 2E"}, stock="6E 10O 3P")
    table.play(0, "5O", call=True)
    table.play(1, "8O")
    table.play(2, "8C")
    table.play(3, "8E")
    table.draw(0)
    table.play(0, "6E")
    assert table.state.forgot_seat == 0


def test_m08_the_clock_and_a_draw_and_go_call_by_themselves():
    table = calling()
    assert GAME.automatic_move(table.state, Seat(0)) == PlayCard(10, "5O", None, True)
    table = calling({0: "2P"}, stock="6O")
    events = table.draw_and_go(0)
    assert only(events, MauMauCalled) == MauMauCalled(10, 0, False)
    assert table.state.forgot_seat is None


def test_m08_accusations_are_no_ones_turn_and_restart_no_clock():
    table = calling()
    table.play(0, "5O")
    before = GAME.awaited(table.state)
    table.accuse(3, 0)
    table.accuse(1, 2)
    assert GAME.awaited(table.state) == before
