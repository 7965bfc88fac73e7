"""What the match waits for, and what is played when time is up (G-06, G-08)."""

import pytest

from libs.rules.game import Rejection, Seat
from libs.rules.mau_mau.events import CardPlayed, CardsDrawn, PenaltyTaken, TurnPassed
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import DrawAndGo, Pass, PlayCard, TakePenalty
from tests.libs.rules.mau_mau.tables import Table
from tests.libs.rules.proof.matches import ChanceMatch


def kinds(events):
    return [type(event) for event in events]


def test_g06_a_turn_has_twenty_seconds_unless_the_table_says_otherwise():
    """`card_seconds` is 20; another value is taken too."""
    for seconds in (20, 5, 600):
        awaited = GAME.awaited(Table(card_seconds=str(seconds)).state)
        assert (awaited.seconds, awaited.is_answer, awaited.seats) == (seconds, False, (0,))


def test_g06_a_draw_starts_the_clock_anew():
    table = Table({0: "2P 3P"}, stock="2E")
    before = GAME.awaited(table.state).moment
    table.draw(0)
    assert GAME.awaited(table.state).moment != before


def test_g06_a_missed_turn_is_one_move_whatever_one_holds():
    """So that it counts as one automatic play: after it the turn is another's."""
    for hand, stock in (("5O 2P", ""), ("2P 3P", "6O"), ("2P 3P", "2E")):
        table = Table({0: hand}, stock=stock)
        table.automatically()
        assert table.state.to_play == 1


def test_g08_a_pending_penalty_is_taken_though_one_holds_a_seven():
    table = Table({0: "7C 2P"}, top="7O", penalty=4)
    assert GAME.automatic_move(table.state, Seat(0)) == TakePenalty(10)
    assert kinds(table.automatically()) == [PenaltyTaken]


def test_g08_the_last_legal_card_in_arrival_order_is_played():
    table = Table({0: "5O 4C 2P"})
    assert table.automatically()[0].card == "4C"


def test_g08_a_jack_names_its_own_suit():
    table = Table({0: "5O JC 2P"})
    assert GAME.automatic_move(table.state, Seat(0)) == PlayCard(10, "JC", "C")
    table.automatically()
    assert table.state.suit == "C"
    assert GAME.automatic_move(Table({0: "JC"}).state, Seat(0)) == PlayCard(10, "JC")


def test_g08_with_no_legal_card_one_is_drawn_and_played_if_it_may_be():
    table = Table({0: "2P 3P"}, stock="6O")
    assert GAME.automatic_move(table.state, Seat(0)) == DrawAndGo(10)
    assert kinds(table.automatically()) == [CardsDrawn, CardPlayed]
    table = Table({0: "2P 3P"}, stock="JE")
    assert table.automatically()[-1].suit == "E"


def test_g08_else_the_turn_is_passed():
    table = Table({0: "2P 3P"}, stock="2E")
    assert kinds(table.automatically()) == [CardsDrawn, TurnPassed]
    table = Table({0: "2P 3P"}, rest=3)
    assert kinds(table.automatically()) == [CardsDrawn, TurnPassed]


def test_g08_a_nine_that_is_drawn_has_its_effect():
    table = Table({0: "2P 3P"}, stock="9O 2E")
    events = table.automatically()
    assert kinds(events) == [CardsDrawn, CardPlayed, CardsDrawn]
    assert (events[2].seat, events[2].cards) == (3, ("2E",))


def test_g08_who_has_drawn_plays_the_last_legal_card_else_passes():
    table = Table({0: "2P 3P"}, stock="2E")
    table.draw(0)
    assert GAME.automatic_move(table.state, Seat(0)) == Pass(10)
    table = Table({0: "2P 3P"}, stock="6O")
    table.draw(0)
    assert GAME.automatic_move(table.state, Seat(0)) == PlayCard(10, "6O")


def test_there_is_no_automatic_move_for_a_seat_that_is_not_awaited():
    with pytest.raises(ValueError, match="not awaited"):
        GAME.automatic_move(Table().state, Seat(1))


def test_b081_the_automatic_move_is_always_legal():
    states = 0
    for number in range(12):
        switches = {"call": "true", "draw_rule": "until_playable"} if number % 3 == 0 else {}
        match = ChanceMatch(GAME, 4 + number % 5, f"b081-{number}", switches)
        while not match.is_over and states < 200 * (number + 1):
            seat = GAME.awaited(match.state).seats[0]
            move = GAME.automatic_move(match.state, seat)
            assert move in [item.move for item in GAME.legal_moves(match.state, seat)]
            assert not isinstance(GAME.decide(match.state, seat, move, match.draws), Rejection)
            states += 1
            match.step()
    assert states >= 2_000


@pytest.mark.parametrize("players", [4, 8])
def test_a_match_that_the_clock_plays_alone_ends(players):
    match = ChanceMatch(GAME, players, "clock alone")
    while not match.is_over:
        seat = GAME.awaited(match.state).seats[0]
        match.apply(GAME.decide(match.state, seat, GAME.automatic_move(match.state, seat), match.draws))
    assert GAME.result(match.state) is not None
    assert all(GAME.legal_moves(match.state, Seat(seat)) == () for seat in range(players))
