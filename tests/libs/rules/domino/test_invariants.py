"""What holds of every match, whatever the moves."""

import pytest
from hypothesis import given, settings

from libs.rules.canonical import state_hash
from libs.rules.domino.events import MatchEnded, RoundDealt
from libs.rules.domino.game import DOMINO as GAME
from libs.rules.game import Rejection
from tests.libs.rules.domino.situations import listed, running_matches, thinkable_moves
from tests.libs.rules.domino.tables import (
    SEATS,
    SWITCH_VALUES,
    ChanceMatch,
    conserved,
    fingerprint,
    restored,
    stored,
)

MOST_ROUNDS = 99
"""Each round pays a point at least (D-08)."""


@settings(max_examples=60)
@given(match=running_matches())
def test_a_move_is_accepted_exactly_if_it_is_listed(match):
    before = fingerprint(match.state)
    for seat in SEATS:
        legal = listed(match.state, seat)
        for move in {*thinkable_moves(match.state), *legal}:
            decision = GAME.decide(match.state, seat, move, match.draws)
            assert isinstance(decision, Rejection) == (move not in legal), (seat, move, decision)
            assert GAME.decide(match.state, seat, move, match.draws) == decision
    assert fingerprint(match.state) == before


@settings(max_examples=60)
@given(match=running_matches())
def test_one_seat_is_always_awaited_and_may_act(match):
    awaited = GAME.awaited(match.state)
    assert awaited is not None
    (seat,) = awaited.seats
    assert [other for other in SEATS if listed(match.state, other)] == [seat]
    assert GAME.automatic_move(match.state, seat) in listed(match.state, seat)


@settings(max_examples=40)
@given(match=running_matches())
def test_a_replay_of_the_stored_events_equals_the_play(match):
    state = match.initial
    for event in match.log:
        again = restored(*stored(event))
        assert again == event
        state = GAME.evolve(state, again)
    assert state == match.state
    assert state_hash(GAME.facts(state)) == state_hash(GAME.facts(match.state))


@pytest.mark.parametrize("number", range(30))
def test_a_whole_match_keeps_its_tiles_and_ends(number):
    match = ChanceMatch(f"whole-{number}")
    moments = set()
    while (awaited := GAME.awaited(match.state)) is not None:
        assert awaited.moment not in moments
        moments.add(awaited.moment)
        state = match.state
        for event in match.step():
            state = GAME.evolve(state, event)
            conserved(state)
    assert [event for event in match.log if isinstance(event, MatchEnded)] == [match.log[-1]]
    rounds = [event.round for event in match.log if isinstance(event, RoundDealt)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) <= MOST_ROUNDS
    result = GAME.result(match.state)
    assert result is not None
    assert result.winners == (match.state.winner,)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in SWITCH_VALUES.items() for v in values])
def test_no_switch_changes_who_plays_what(name, value):
    rules = GAME.rule_set({name: value})
    match = ChanceMatch("switches")
    state = GAME.initial(rules, 4)
    for event in match.play().log:
        state = GAME.evolve(state, event)
    assert GAME.result(state) == GAME.result(match.state)
    assert state_hash(GAME.facts(state)) == state_hash(GAME.facts(match.state))
