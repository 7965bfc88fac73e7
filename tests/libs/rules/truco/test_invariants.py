"""What holds of every match, whatever the switches and the moves."""

import os
import secrets
import time

import pytest
from hypothesis import given, settings

from libs.rules.canonical import state_hash
from libs.rules.game import Rejection
from libs.rules.truco.events import HandDealt, HandEnded, MatchEnded
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from tests.libs.rules.truco.situations import SCORES, conserved, listed, running_matches, thinkable_moves
from tests.libs.rules.truco.tables import (
    OTHER_HOUSES,
    SWITCH_VALUES,
    ChanceMatch,
    fingerprint,
    restored,
    stored,
)

MAX_MOVES = 3_000
"""No match of random moves comes near: a hand has at most 18 cards, 24 signals, 5 calls and 4 answers of three partners."""


@settings(max_examples=150)
@given(match=running_matches())
def test_a_move_is_accepted_exactly_if_it_is_listed(match):
    before = fingerprint(match.state)
    for seat in match.seats:
        legal = listed(match.state, seat)
        for move in {*thinkable_moves(match.state), *legal}:
            decision = GAME.decide(match.state, seat, move, match.draws)
            assert isinstance(decision, Rejection) == (move not in legal), (seat, move, decision)
    assert fingerprint(match.state) == before


@settings(max_examples=100)
@given(match=running_matches())
def test_the_same_state_and_move_give_the_same_result(match):
    for seat in match.seats:
        for move in listed(match.state, seat):
            first = GAME.decide(match.state, seat, move, match.draws)
            assert GAME.decide(match.state, seat, move, match.draws) == first


@settings(max_examples=100)
@given(match=running_matches())
def test_somebody_is_always_awaited_and_may_act(match):
    awaited = GAME.awaited(match.state)
    assert awaited is not None
    for seat in awaited.seats:
        assert [legal for legal in GAME.legal_moves(match.state, seat) if not legal.consequence]
        assert GAME.automatic_move(match.state, seat) in listed(match.state, seat)


@settings(max_examples=100)
@given(match=running_matches())
def test_a_replay_of_the_stored_events_equals_the_play(match):
    state = match.initial
    for event in match.log:
        again = restored(*stored(event))
        assert again == event
        state = GAME.evolve(state, again)
    assert state == match.state
    assert state_hash(GAME.facts(state)) == state_hash(GAME.facts(match.state))


def play_whole(match):
    """Plays to the end; at each version the cards are conserved, the score rises and ends at 12 at most."""
    moments = set()
    moment = ""
    moves = 0
    while (awaited := GAME.awaited(match.state)) is not None:
        if awaited.moment != moment:
            assert awaited.moment not in moments, f"{match.seed}: {awaited.moment} comes twice"
            moments.add(awaited.moment)
            moment = awaited.moment
        before, length, score = match.state, len(match.log), match.state.score
        match.step()
        state = before
        for event in match.log[length:]:
            state = GAME.evolve(state, event)
            conserved(state)
            if isinstance(event, HandEnded):
                assert all(12 >= now >= then for now, then in zip(event.score, score, strict=True))
                score = event.score
        moves += 1
        assert moves < MAX_MOVES, f"{match.seed} does not end"
    ends = [event for event in match.log if isinstance(event, MatchEnded)]
    assert ends == [match.log[-1]]
    hands = [event.hand for event in match.log if isinstance(event, HandDealt)]
    assert hands == list(range(1, len(hands) + 1))
    result = GAME.result(match.state)
    assert result is not None
    assert len(result.winners) == 1
    for seat in match.seats:
        assert GAME.legal_moves(match.state, seat) == ()
    return moves


EACH_VALUE = [(name, value) for name, values in SWITCH_VALUES.items() for value in values]


@pytest.mark.parametrize(("name", "value"), EACH_VALUE)
def test_every_value_of_every_switch_plays_whole_matches(name, value):
    for number, score in enumerate(SCORES):
        play_whole(ChanceMatch(f"{name}={value}/{number}", {name: value}, score))


@pytest.mark.parametrize("house", OTHER_HOUSES)
@pytest.mark.parametrize("players", [4, 6])
def test_the_other_houses_play_whole_matches(house, players):
    for number, score in enumerate(SCORES):
        play_whole(ChanceMatch(f"{house}/{number}", OTHER_HOUSES[house], score, players))


def test_whole_matches_by_chance_for_as_long_as_there_is_time():
    """For CARTEADO_TEST_SECONDS (5); the seed changes each time and CARTEADO_TEST_SEED repeats one."""
    seed = os.environ.get("CARTEADO_TEST_SEED") or secrets.token_hex(4)
    until = time.monotonic() + float(os.environ.get("CARTEADO_TEST_SECONDS", "5"))
    print(f"CARTEADO_TEST_SEED={seed}")
    played = 0
    while played == 0 or time.monotonic() < until:
        name = f"{seed}/{played}"
        picker = ChanceMatch(name, {}).chance
        switches = {switch: picker.choice(values) for switch, values in SWITCH_VALUES.items()}
        try:
            play_whole(ChanceMatch(name, switches, picker.choice(SCORES), picker.choice((4, 4, 6))))
        except AssertionError as error:
            raise AssertionError(f"CARTEADO_TEST_SEED={seed}, match {played}, {switches}: {error}") from error
        played += 1
