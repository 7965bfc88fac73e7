"""What is refused and why, what the match waits for, and what is played when time is up."""

import msgspec
import pytest

from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from libs.rules.sueca.game import SUECA as GAME
from libs.rules.sueca.moves import PlayCard
from tests.libs.rules.sueca.tables import Table


@pytest.mark.parametrize(
    ("seat", "move", "code"),
    [
        (0, PlayCard(2, 1, "4C"), "NOT_YET"),
        (0, PlayCard(0, 1, "4C"), "STALE"),
        (0, PlayCard(1, 2, "4C"), "NOT_YET"),
        (0, PlayCard(1, 0, "4C"), "STALE"),
        (0, PlayCard(1, 1, "4C"), "STALE"),
        (2, PlayCard(1, 1, "4C"), "NOT_YOUR_TURN"),
        (4, PlayCard(1, 1, "4C"), "NO_SUCH_SEAT"),
        (-1, PlayCard(1, 1, "4C"), "NO_SUCH_SEAT"),
        (1, PlayCard(1, 1, "8C"), "CARD_NOT_IN_HAND"),
        (1, PlayCard(1, 1, ""), "CARD_NOT_IN_HAND"),
        (1, PlayCard(1, 1, "2C"), "CARD_NOT_IN_HAND"),
        (1, PlayCard(1, 1, "4C"), "CARD_NOT_IN_HAND"),
        (1, PlayCard(1, 1, "AE"), "MUST_FOLLOW_SUIT"),
    ],
)
def test_each_wrong_move_has_its_code_and_changes_nothing(seat, move, code):
    table = Table({0: "4C", 1: "KC AE", 2: "2C"})
    table.play("0:4C")
    assert table.refused(seat, move) == code


def test_a_card_of_a_trick_that_is_over_is_stale():
    table = Table({0: "KC 2C", 1: "7C", 2: "3C", 3: "JC"})
    first = table.card("2C")
    table.play("0:KC 1:7C 2:3C 3:JC")
    assert table.refused(0, first) == "STALE"


def test_before_the_deal_nothing_is_awaited_seen_or_accepted():
    state = GAME.initial(GAME.rule_set({}), 4)
    assert GAME.awaited(state) is None
    assert GAME.legal_moves(state, Seat(0)) == ()
    decision = GAME.decide(state, Seat(0), PlayCard(1, 1, "2C"), Draws(bytes(32), "m"))
    assert isinstance(decision, Rejection)
    assert decision.code == "NOT_STARTED"
    with pytest.raises(ValueError, match="before the first deal"):
        GAME.view(state, None)


def test_a_refusal_tells_nothing_that_the_seat_does_not_know():
    table = Table({0: "4C", 1: "KC AE", 2: "2C"})
    twin = Table({0: "4C", 1: "KC AE", 2: "2P", 3: "2C"})
    for other in (table, twin):
        other.play("0:4C")
    for seat, move in ((1, "AE"), (1, "2C"), (2, "2C"), (0, "4C")):
        told = [
            GAME.decide(other.state, Seat(seat), other.card(move), other.draws) for other in (table, twin)
        ]
        assert told[0] == told[1]


def test_g06_a_card_has_twenty_seconds_unless_the_table_says_otherwise():
    assert GAME.awaited(Table().state).seconds == 20
    assert GAME.awaited(Table(card_seconds="45").state).seconds == 45


def test_the_clock_starts_anew_with_every_card():
    table = Table({0: "KC", 1: "7C", 2: "2C", 3: "JC"})
    moments = [GAME.awaited(table.state).moment]
    for play in ("0:KC", "1:7C", "2:2C", "3:JC"):
        table.play(play)
        moments.append(GAME.awaited(table.state).moment)
    assert len(set(moments)) == 5


def test_g08_the_clock_plays_the_last_legal_card_in_dealt_order():
    hand = "3O KC AE 2C 4P 5P 6P 7P QP JP"
    table = Table({0: "4C", 1: hand, 2: "3C"})
    table.play("0:4C")
    assert GAME.automatic_move(table.state, Seat(1)) == table.card("2C")
    leader = Table({0: "3O KC AE 2C 4P 5P 6P 7P QP KP"})
    assert GAME.automatic_move(leader.state, Seat(0)) == leader.card("KP")


def test_g08_the_same_silence_twice_gives_the_same_events():
    def silent():
        table = Table({0: "4C"})
        for _ in range(40):
            seat = GAME.awaited(table.state).seats[0]
            table.do(seat, GAME.automatic_move(table.state, seat))
        return table.log

    assert msgspec.json.encode(silent()) == msgspec.json.encode(silent())


def test_there_is_no_automatic_move_for_a_seat_that_is_not_awaited():
    with pytest.raises(ValueError, match="seat 2 is not awaited"):
        GAME.automatic_move(Table().state, Seat(2))
