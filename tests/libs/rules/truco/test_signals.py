"""Signals (R-23): a gesture that all see and one side understands, at any time of the hand, and in nobody's way."""

from collections import Counter

import msgspec
import pytest

from libs.rules.game import Seat
from libs.rules.shuffle import Draws
from libs.rules.truco.events import SignalSent
from libs.rules.truco.game import TRUCO_003, TRUCO_004
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import Signal
from libs.rules.truco.signals import GESTURES, ORDERS, SentSignal, signal_tables
from tests.libs.rules.truco.tables import SEATS, SECRET, ChanceMatch, Table


def signals_of(table, seat):
    listed = [legal.move for legal in GAME.legal_moves(table.state, Seat(seat))]
    return [move.gesture for move in listed if isinstance(move, Signal)]


def test_r23_signals_are_on_at_truco_paulista_and_truco_004_and_off_at_truco_003():
    played = {game.preset: game.rule_set({}).signals for game in (GAME, TRUCO_003, TRUCO_004)}
    assert played == {"truco-paulista": True, "truco@003": False, "truco@004": True}


def test_r23_the_tables_of_the_sides_give_each_gesture_a_suit_of_its_own_and_always_differ():
    draws = Draws(SECRET, "signals")
    drawn = [signal_tables(hand, draws) for hand in range(1, 2_001)]
    assert all(sorted(table) == sorted("PCEO") for tables in drawn for table in tables)
    assert all(one != other for one, other in drawn)
    for side in (0, 1):
        counted = Counter(tables[side] for tables in drawn)
        assert set(counted) == set(ORDERS)
        # Each order comes 83 times on average, give or take nine.
        assert 45 < min(counted.values()) <= max(counted.values()) < 130


def test_r23_the_meanings_are_drawn_anew_each_hand():
    match = ChanceMatch("signals anew", {})
    tables = {match.state.hand: match.state.signal_tables}
    while match.state.winner is None:
        match.step()
        tables[match.state.hand] = match.state.signal_tables
    assert len(set(tables.values())) > len(tables) / 2
    assert tables == {hand: signal_tables(hand, match.draws) for hand in tables}


def test_r23_anyone_may_signal_at_any_time_of_a_hand_and_changes_nothing_but_that():
    """In turn or not, while a raise waits, and before a mão de onze is decided."""
    plain, called, eleven = Table(), Table(), Table(score=(11, 5))
    called.call(0, 3)
    for table in (plain, called, eleven):
        for seat in SEATS:
            before, awaited = table.state, GAME.awaited(table.state)
            assert table.signal(seat, "lingua") == [SignalSent(1, seat, "lingua")]
            assert GAME.awaited(table.state) == awaited
            assert msgspec.structs.replace(table.state, signals=before.signals) == before
        assert [signal.seat for signal in table.state.signals] == list(SEATS)


def test_b069_c_a_partners_signal_does_not_void_a_card():
    """The card that was chosen before the signal is played after it."""
    table = Table({0: "KC"})
    chosen = table.card("KC")
    table.signal(2, "piscar")
    table.do(0, chosen)


def test_r23_the_same_gesture_says_nothing_new_and_is_refused_until_the_next_hand():
    table = Table()
    table.signal(1, "bochecha")
    assert table.refused(1, Signal(1, "bochecha")) == "SIGNAL_ALREADY_SENT"
    assert signals_of(table, 1) == ["piscar", "sobrancelha", "lingua"]
    assert signals_of(table, 3) == list(GESTURES)
    table.call(0, 3)
    table.fold(1)
    assert table.state.signals == ()
    assert signals_of(table, 1) == list(GESTURES)
    assert table.refused(1, Signal(1, "piscar")) == "STALE"


def test_r23_a_signal_need_not_be_true():
    """Nobody compares it with the cards: each of the four may be made with any hand."""
    table = Table({0: "4C 4E 4P"}, vira="7O")
    for gesture in GESTURES:
        table.signal(0, gesture)
    assert signals_of(table, 0) == []


def test_r23_everybody_sees_the_gesture_and_its_side_alone_what_it_means():
    table = Table()
    event = table.signal(0, "piscar")[0]
    for viewer in (None, *SEATS):
        assert GAME.observe(event, table.state, table.state, viewer) == event
        view = GAME.view(table.state, viewer)
        assert view.signals == (SentSignal(0, "piscar"),)
        assert [shown.side for shown in view.signal_tables] == ([] if viewer is None else [viewer % 2])
    shown = GAME.view(table.state, Seat(2)).signal_tables[0]
    told = "".join(one.suit for one in shown.meanings)
    assert (tuple(one.gesture for one in shown.meanings), told) == (GESTURES, table.state.signal_tables[0])


def test_r23_three_partners_share_one_table():
    table = Table(players=6)
    tables = [GAME.view(table.state, Seat(seat)).signal_tables for seat in range(6)]
    assert tables[0] == tables[2] == tables[4] != tables[1] == tables[3] == tables[5]


def test_g11_both_tables_are_public_once_the_match_is_over():
    table = Table(score=(11, 0))
    table.play_eleven_hand(0)
    table.call(0, 6)
    for viewer in (None, *SEATS):
        assert [shown.side for shown in GAME.view(table.state, viewer).signal_tables] == [0, 1]
    assert table.refused(0, Signal(1, "piscar")) == "MATCH_OVER"


@pytest.mark.parametrize(
    ("score", "switches", "is_played"),
    [
        ((0, 0), {"signals": "false"}, False),
        ((0, 0), {"signals": "true"}, True),
        ((11, 11), {"iron_hand": "blind"}, False),
        ((11, 11), {"iron_hand": "open"}, True),
    ],
)
def test_r20_r23_no_signals_by_switch_and_in_a_blind_hand(score, switches, is_played):
    table = Table(score=score, **switches)
    for seat in SEATS:
        assert bool(signals_of(table, seat)) == is_played
        assert bool(GAME.view(table.state, seat).signal_tables) == is_played
    if not is_played:
        assert table.refused(0, Signal(1, "piscar")) == "SIGNAL_NOT_ALLOWED"
    assert table.refused(0, Signal(1, "espirro")) == "SIGNAL_NOT_ALLOWED"


def test_a_hand_without_signals_has_the_facts_that_it_always_had():
    facts = {name for name in GAME.facts(Table().state) if "signal" in name}
    assert facts == {"signal_tables", "signals"}
    assert not any("signal" in name for name in GAME.facts(Table(signals="false").state))


def test_the_facts_of_a_hand_tell_who_has_signalled_what_and_what_it_means():
    table = Table()
    table.do(2, Signal(1, "lingua"))
    table.do(1, Signal(1, "piscar"))
    facts = GAME.facts(table.state)
    assert facts["signals"] == [{"seat": 2, "gesture": "lingua"}, {"seat": 1, "gesture": "piscar"}]
    assert facts["signal_tables"] == table.state.signal_tables
