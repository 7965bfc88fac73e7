"""Refusals: their order, absurd input, and that they tell nothing."""

import msgspec
import pytest

from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.moves import PlayTile
from libs.rules.domino.rejections import Code
from libs.rules.game import Rejection, Seat
from tests.libs.rules.domino.tables import ChanceMatch, Table, fingerprint

HUGE = 2**31


def test_a_match_that_has_not_begun_takes_no_move():
    state = GAME.initial(GAME.rule_set({}), 4)
    for number in (0, 1):
        decision = GAME.decide(state, Seat(0), PlayTile(number, 1, "6-6"), Table().draws)
        assert decision == Rejection("NOT_STARTED")


def test_over_goes_before_everything():
    match = ChanceMatch("over").play()
    for seat in (-1, 0, 1, 4):
        for move in (
            PlayTile(1, 1, "6-6"),
            PlayTile(99, 1, "x"),
            PlayTile(match.state.deal.round, 1, "0-0", "left"),
        ):
            decision = GAME.decide(match.state, Seat(seat), move, match.draws)
            assert isinstance(decision, Rejection)
            assert decision.code == "MATCH_OVER"


def test_stale_goes_before_turn_and_turn_before_legality():
    table = Table({0: "6-6 5-6", 1: "4-6"})
    table.play(0, "6-6")
    for seat in range(4):
        assert table.refused(seat, PlayTile(1, 1, "6-6")) == "STALE"
        assert table.refused(seat, PlayTile(0, 2, "6-6")) == "STALE"
        assert table.refused(seat, PlayTile(1, 3, "5-6", "left")) == "NOT_YET"
        assert table.refused(seat, PlayTile(2, 1, "5-6")) == "NOT_YET"
    for seat in (0, 2, 3):
        assert table.refused(seat, PlayTile(1, 2, "nonsense", "left")) == "NOT_YOUR_TURN"
    assert table.refused(1, PlayTile(1, 2, "5-6", "left")) == "TILE_NOT_IN_HAND"


@pytest.mark.parametrize("seat", [-1, 4, 99, HUGE])
def test_a_seat_that_is_not_there_is_refused(seat):
    table = Table({0: "6-6"})
    assert table.refused(seat, table.move("6-6")) == "NO_SUCH_SEAT"
    assert table.choices(seat) == []


def test_the_first_tile_names_no_end():
    table = Table({0: "6-6"})
    for end in ("left", "right"):
        assert table.refused(0, table.move("6-6", end)) == "END_NOT_ALLOWED"


def test_b124_the_refusal_is_the_same_wherever_a_foreign_tile_is():
    table = Table({0: "6-6 0-1", 1: "0-2", 2: "0-3", 3: "0-4"})
    rejections = {
        msgspec.json.encode(GAME.decide(table.state, Seat(0), PlayTile(1, 1, name), table.draws))
        for name in ("0-2", "0-3", "0-4", "1-0", "7-7", "", "nonsense", "\u0000", "6-6" * 50_000)
    }
    assert rejections == {b'{"code":"TILE_NOT_IN_HAND","facts":{}}'}


@pytest.mark.parametrize(
    "move",
    [
        PlayTile(-1, 1, "6-6"),
        PlayTile(1, -1, "6-6"),
        PlayTile(HUGE, HUGE, "6-6"),
        PlayTile(1, 1, ""),
        PlayTile(1, 1, "6-6", "left"),
        PlayTile(1, 1, "5-6", "right"),
        PlayTile(0, 0, "6-6"),
    ],
)
def test_absurd_input_is_refused_and_changes_nothing(move):
    table = Table({0: "6-6 5-6"})
    for seat in (-1, 0, 1, 2, 3, 4):
        assert table.refused(seat, move) in set(Code)
    before = fingerprint(table.state)
    for seat in range(4):
        GAME.legal_moves(table.state, Seat(seat))
        GAME.view(table.state, Seat(seat))
    assert fingerprint(table.state) == before
