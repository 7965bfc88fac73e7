"""What holds of every match, whatever the moves."""

import pytest
from hypothesis import given, settings

from libs.rules.canonical import state_hash
from libs.rules.game import Rejection, Seat
from libs.rules.mau_mau.events import MatchEnded
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.state import LAST_TURN
from tests.libs.rules.mau_mau.situations import running_matches, seats, thinkable_moves
from tests.libs.rules.mau_mau.tables import PLAYERS, conserved, fingerprint, restored, stored
from tests.libs.rules.proof.matches import ChanceMatch


def listed(state, seat):
    """The listed moves of a seat, each once."""
    moves = [item.move for item in GAME.legal_moves(state, seat)]
    assert len(moves) == len(set(moves))
    return moves


@settings(max_examples=40)
@given(match=running_matches())
def test_a_move_is_accepted_exactly_if_it_is_listed(match):
    before = fingerprint(match.state)
    for seat in seats(match):
        legal = set(listed(match.state, seat))
        for move in {*thinkable_moves(match.state), *legal}:
            decision = GAME.decide(match.state, seat, move, match.draws)
            assert isinstance(decision, Rejection) == (move not in legal), (seat, move, decision)
    assert fingerprint(match.state) == before


@settings(max_examples=40)
@given(match=running_matches())
def test_one_seat_is_always_awaited_and_may_act(match):
    awaited = GAME.awaited(match.state)
    assert awaited is not None
    (seat,) = awaited.seats
    harmless = [item.move for item in GAME.legal_moves(match.state, seat) if not item.consequence]
    assert harmless
    assert GAME.automatic_move(match.state, seat) in harmless
    if not match.state.rules.call:
        assert [other for other in seats(match) if listed(match.state, other)] == [seat]


@settings(max_examples=25)
@given(match=running_matches())
def test_a_replay_of_the_stored_events_equals_the_play(match):
    state = match.initial
    for event in match.log:
        again = restored(*stored(event))
        assert again == event
        state = GAME.evolve(state, again)
    assert state == match.state
    assert state_hash(GAME.facts(state)) == state_hash(GAME.facts(match.state))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("switches", [{}, {"call": "true"}, {"draw_rule": "until_playable"}], ids=str)
def test_a_whole_match_keeps_its_cards_and_ends(players, switches):
    match = ChanceMatch(GAME, players, "whole", switches)
    conserved(match.state)
    while not match.is_over:
        state = match.state
        for event in match.step():
            state = GAME.evolve(state, event)
            conserved(state)
    assert [event for event in match.log if isinstance(event, MatchEnded)] == [match.log[-1]]
    assert match.state.turn <= LAST_TURN + 1
    result = GAME.result(match.state)
    fewest = min(result.score)
    assert result.winners == ((result.score.index(fewest),) if result.score.count(fewest) == 1 else ())


def test_a_match_in_which_everybody_accuses_everybody_ends():
    match = ChanceMatch(GAME, 4, "quarrel", {"call": "true"})
    moves = 0
    while not match.is_over:
        for seat in map(Seat, range(4)):
            for move in listed(match.state, seat)[-1:]:
                match.apply(GAME.decide(match.state, seat, move, match.draws))
                moves += 1
        seat = match.state.to_play
        if seat is not None:
            match.apply(
                GAME.decide(match.state, seat, GAME.automatic_move(match.state, Seat(seat)), match.draws)
            )
    assert moves <= 5 * LAST_TURN
