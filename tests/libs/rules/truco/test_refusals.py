"""Refusals: their order, absurd input, and that they tell nothing."""

import msgspec
import pytest

from libs.rules.game import Rejection, Seat
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
)
from libs.rules.truco.rejections import Code
from tests.libs.rules.truco.tables import Table, fingerprint

HUGE = 2**31


def test_a_match_that_has_not_begun_takes_no_move():
    table = Table()
    state = GAME.initial(GAME.rule_set({}), 4)
    decision = GAME.decide(state, Seat(0), PlayCard(0, 1, card="4P"), table.draws)
    assert decision == Rejection("NOT_STARTED")


def test_over_goes_before_stale():
    table = Table(score=(11, 11))
    table.call(0, 3)
    for move in (
        PlayCard(0, 1, card="4P"),
        Raise(9, 3),
        AcceptRaise(1, 3),
        Fold(1, 3),
        PlayElevenHand(1),
        DeclineElevenHand(1),
    ):
        for seat in (0, 1, 2, 3, 4, -1):
            assert table.refused(seat, move) == "MATCH_OVER"


def test_stale_goes_before_turn():
    table = Table()
    table.call(0, 3)
    table.fold(1)
    for seat in range(4):
        for move in (
            PlayCard(1, 1, card="4P"),
            Raise(1, 3),
            AcceptRaise(1, 3),
            Fold(1, 3),
            PlayElevenHand(1),
        ):
            assert table.refused(seat, move) == "STALE"


def test_a_card_for_a_trick_that_has_passed_is_stale():
    table = Table({0: "3C 2C", 1: "4E 6E", 2: "4C 6C", 3: "4P 6P"})
    table.play_trick("0:3C 1:4E 2:4C 3:4P")
    for seat in range(4):
        assert table.refused(seat, PlayCard(1, 1, card="2C")) == "STALE"
        assert table.refused(seat, PlayCard(1, 3, card="2C")) == "NOT_YET"
    assert table.refused(0, PlayCard(2, 1, card="2C")) == "NOT_YET"


def test_a_second_card_to_the_same_trick_is_stale():
    table = Table({0: "3C 2C"})
    table.play(0, "3C")
    assert table.refused(0, PlayCard(1, 1, card="2C")) == "STALE"
    assert table.refused(0, PlayCard(1, 1, card="3C")) == "STALE"


def test_turn_goes_before_legality():
    table = Table({0: "3C"})
    assert table.refused(1, PlayCard(1, 1, card="3C")) == "NOT_YOUR_TURN"
    assert table.refused(1, PlayCard(1, 1, card="nonsense", covered=True)) == "NOT_YOUR_TURN"


@pytest.mark.parametrize("seat", [-1, 4, 99, HUGE])
def test_a_seat_that_is_not_there_is_refused(seat):
    for switches in ({}, {"raise_window": "anytime"}):
        table = Table(**switches)
        assert table.refused(seat, Raise(1, 3)) == "NO_SUCH_SEAT"
        assert table.refused(seat, PlayCard(1, 1, card="3C")) == "NO_SUCH_SEAT"
        assert table.moves(seat) == []


def test_b124_the_refusal_is_the_same_wherever_a_foreign_card_is():
    table = Table({0: "3C 2C AC", 1: "KE", 2: "QE"}, vira="4O")
    rejections = {
        msgspec.json.encode(GAME.decide(table.state, Seat(0), PlayCard(1, 1, card=card), table.draws))
        for card in ("KE", "QE", "4O", "3O", "9P", "", "nonsense", "3c", "\u0000", "3C" * 50_000)
    }
    assert rejections == {b'{"code":"CARD_NOT_IN_HAND","facts":{}}'}


@pytest.mark.parametrize(
    "move",
    [
        PlayCard(-1, 1, card="3C"),
        PlayCard(1, -1, card="3C"),
        PlayCard(HUGE, HUGE, card="3C"),
        PlayCard(1, 1),
        PlayCard(1, 1, position=0),
        PlayCard(1, 1, position=99),
        PlayCard(1, 1, position=-1),
        PlayCard(1, 1, card="3C", position=0),
        PlayCard(1, 1, card=""),
        PlayCard(1, 1, card="JK"),
        Raise(1, -1),
        Raise(1, 0),
        Raise(1, 1),
        Raise(1, 4),
        Raise(1, HUGE),
        Raise(-5, 3),
        AcceptRaise(1, -1),
        AcceptRaise(1, HUGE),
        Fold(1, 0),
        PlayElevenHand(0),
        DeclineElevenHand(-1),
    ],
)
def test_absurd_input_is_refused_and_changes_nothing(move):
    for table in (
        Table({0: "3C"}),
        Table(score=(11, 0), answer="run_needs_both"),
        Table(raise_window="anytime"),
    ):
        for seat in (-1, 0, 1, 2, 3, 4):
            assert table.refused(seat, move) in set(Code)
        if not table.state.awaits_eleven_answer:
            table.call(0, 3)
            for seat in (-1, 0, 1, 2, 3, 4):
                assert table.refused(seat, move) in set(Code)


def test_a_refusal_leaves_even_a_hidden_part_of_the_state_alone():
    table = Table()
    before = fingerprint(table.state)
    for seat in range(4):
        GAME.decide(table.state, Seat(seat), Raise(1, 12), table.draws)
        GAME.legal_moves(table.state, Seat(seat))
        GAME.view(table.state, Seat(seat))
    assert fingerprint(table.state) == before


def facts_of(table, seat, move):
    decision = GAME.decide(table.state, Seat(seat), move, table.draws)
    assert isinstance(decision, Rejection)
    return decision.code, dict(decision.facts)


def test_a_refusal_says_where_the_match_is():
    table = Table({0: "3C 2C", 1: "4E 6E", 2: "4C 6C", 3: "4P 6P"})
    assert facts_of(table, 1, PlayCard(1, 1, card="4E")) == ("NOT_YOUR_TURN", {"seat": "0"})
    assert facts_of(table, 0, PlayCard(2, 1, card="3C")) == ("NOT_YET", {"hand": "1"})
    assert facts_of(table, 0, PlayCard(0, 1, card="3C")) == ("STALE", {"hand": "1"})
    assert facts_of(table, 0, PlayCard(1, 2, card="3C")) == ("NOT_YET", {"trick": "1"})
    assert facts_of(table, 0, AcceptRaise(1, 3)) == ("WRONG_PHASE", {"phase": "play"})
    assert facts_of(table, 0, Raise(1, 6)) == ("RAISE_NOT_ALLOWED", {"value": "1"})
    assert facts_of(table, 1, Raise(1, 3)) == ("NOT_YOUR_TURN", {"seat": "0"})
    table.call(0, 3)
    assert facts_of(table, 0, PlayCard(1, 1, card="3C")) == ("WRONG_PHASE", {"phase": "answer_raise"})
    assert facts_of(table, 0, AcceptRaise(1, 3)) == ("NOT_YOUR_TURN", {"seat": "1"})
    assert facts_of(table, 1, AcceptRaise(1, 6)) == ("RAISE_NOT_CALLED", {"value": "3"})
    assert facts_of(table, 1, Raise(1, 3)) == ("STALE", {"value": "3"})
    table.call(1, 6)
    assert facts_of(table, 0, AcceptRaise(1, 3)) == ("STALE", {"value": "6"})
    table.accept(0)
    table.play(0, "3C")
    assert facts_of(table, 0, PlayCard(1, 1, card="2C")) == ("STALE", {"trick": "1"})
    assert facts_of(table, 2, PlayCard(1, 1, card="4C")) == ("NOT_YOUR_TURN", {"seat": "1"})
    assert facts_of(table, 1, Fold(1, 3)) == ("STALE", {"phase": "play"})


def test_a_refusal_at_eleven_says_what_is_asked_and_of_whom():
    table = Table(score=(11, 4))
    assert facts_of(table, 1, PlayCard(1, 1, card="4P")) == ("WRONG_PHASE", {"phase": "eleven_hand"})
    assert facts_of(table, 1, PlayElevenHand(1)) == ("NOT_YOUR_TURN", {"seat": "0"})
    assert facts_of(table, 0, Raise(1, 3)) == ("WRONG_PHASE", {"phase": "eleven_hand"})
    table.play_eleven_hand(0)
    assert facts_of(table, 2, PlayElevenHand(1)) == ("STALE", {"phase": "play"})
    both = Table(score=(11, 4), answer="run_needs_both")
    both.decline_eleven_hand(0)
    assert facts_of(both, 0, DeclineElevenHand(1)) == ("STALE", {"phase": "eleven_hand"})


def test_a_refusal_of_a_signal_says_which():
    table = Table()
    table.signal(0, "piscar")
    assert facts_of(table, 0, Signal(1, "piscar")) == ("SIGNAL_ALREADY_SENT", {"gesture": "piscar"})
