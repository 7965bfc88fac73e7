"""Covered cards."""

import pytest

from libs.rules.game import Seat
from libs.rules.truco.events import MatchEnded, TrickEnded
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from tests.libs.rules.truco.tables import Table, only

HANDS = {0: "6C 3C 2C", 1: "5P 4E 7E", 2: "5C 4C 7C", 3: "5E 4P 6P"}


def test_b038_r21_who_leads_never_covers():
    table = Table(HANDS)
    assert table.refused(0, table.card("6C", covered=True)) == "COVERED_LEAD"
    table.play_trick("0:6C 1:5P! 2:5C! 3:5E!")
    assert table.refused(0, table.card("3C", covered=True)) == "COVERED_LEAD"
    table = Table({0: "4C 2C 2E", 1: "KE 4E 7E", 2: "6C 7C QC", 3: "6P 4P 6E"})
    table.play_trick("0:4C 1:KE 2:6C 3:6P")
    assert table.refused(1, table.card("4E", covered=True)) == "COVERED_LEAD"
    table.play_trick("1:4E 2:7C 3:4P 0:2C")
    assert table.refused(0, table.card("2E", covered=True)) == "COVERED_LEAD"


def test_b038_r21_the_others_may_cover_from_the_first_trick_on():
    table = Table(HANDS)
    table.play(0, "6C")
    assert table.card("5P", covered=True) in table.moves(1)
    table.play_trick("1:5P! 2:4C! 3:4P!")
    assert table.state.tricks[0].winner_seat == 0, "if all three cover, the leader wins"


def test_b038_r21_a_covered_zap_loses_to_any_open_card():
    table = Table({0: "4C", 1: "5P", 2: "4E", 3: "6P"})
    assert only(table.play_trick("0:4C 1:5P! 2:4E! 3:6P"), TrickEnded).winner_seat == 3


def test_r21_no_covered_card_ties_a_trick():
    table = Table({0: "4C", 1: "4E", 2: "6C", 3: "4P"})
    assert only(table.play_trick("0:4C 1:4E! 2:6C! 3:4P!"), TrickEnded).winner_seat == 0


def test_r21_a_covered_face_is_shown_to_nobody_until_the_match_has_ended():
    table = Table({0: "3C 2C", 1: "7E 6E", 2: "4C 4E", 3: "QP JP"}, score=(8, 0))
    table.call(0, 3)
    table.accept(1)
    seen = table.play(0, "3C")
    seen = table.play(1, "7E", covered=True)
    for viewer in (0, 1, 2, 3, None):
        seat = None if viewer is None else Seat(viewer)
        told = GAME.observe(seen[0], table.state, table.state, seat)
        assert told is not None
        assert told.card is None
        assert GAME.view(table.state, seat).tricks[0].cards[1].card is None
    table.play_trick("2:4C! 3:QP")
    events = table.play_trick("0:2C 1:6E! 2:4E 3:JP")
    assert not [event for event in events if isinstance(event, MatchEnded)]
    assert table.state.score == (11, 0)


def test_r21_once_the_match_has_ended_everyone_sees_every_card():
    table = Table({0: "3C 2C QC", 1: "7E 6E QE", 2: "4C 4E QO", 3: "QP JP JE"}, score=(9, 0))
    table.call(0, 3)
    table.accept(1)
    table.play_trick("0:3C 1:7E! 2:4C! 3:QP")
    only(table.play_trick("0:2C 1:6E! 2:4E 3:JP"), MatchEnded)
    for viewer in (0, 1, 2, 3, None):
        view = GAME.view(table.state, None if viewer is None else Seat(viewer))
        assert [played.card for played in view.tricks[0].cards] == ["3C", "7E", "4C", "QP"]
        assert [played.card for played in view.tricks[1].cards] == ["2C", "6E", "4E", "JP"]
        assert [hand.cards for hand in view.hands] == [("QC",), ("QE",), ("QO",), ("JE",)]


@pytest.mark.parametrize("seat", [0, 1])
def test_r21_where_the_switch_is_off_nobody_covers(seat):
    table = Table(HANDS, cover="off")
    if seat == 1:
        table.play(0, "6C")
    card = table.state.hands[seat][0]
    assert table.refused(seat, table.card(card, covered=True)) == "COVER_NOT_ALLOWED"
    assert not [move for move in table.moves(seat) if getattr(move, "covered", False)]
