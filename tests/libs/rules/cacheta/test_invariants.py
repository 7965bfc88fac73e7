"""What holds of every match, whatever the switches and the moves."""

import pytest

from libs.rules.cacheta.cards import PACK
from libs.rules.cacheta.events import MatchEnded, RoundDealt
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.canonical import state_hash
from libs.rules.game import Rejection
from tests.libs.rules.cacheta.tables import (
    SEATS,
    SWITCH_VALUES,
    RobotsMatch,
    conserved,
    fingerprint,
    restored,
    stored,
)


def thinkable_moves(state):
    """What anybody might try now: this round and turn and those beside it, every card that is seen, some that are not."""
    cards = {card for hand in state.hands for card in hand} | set(state.discards[-2:]) | {state.vira}
    moves = set()
    for number in (state.round - 1, state.round, state.round + 1):
        moves.add(AnnounceNaBoa(number))
        for turn in (state.turn - 1, state.turn, state.turn + 1):
            moves |= {kind(number, turn) for kind in (DrawStock, TakeDiscard, JumpQueue, PassJump, GoOut)}
    moves |= {Discard(state.round, state.turn, card) for card in cards}
    moves |= {GoOut(state.round, state.turn, card) for card in cards}
    return moves


@pytest.mark.parametrize("seed", range(3))
def test_a_move_is_accepted_exactly_if_it_is_listed(seed):
    match = RobotsMatch(f"listed {seed}", points=(2, 2, 2, 2))
    number = 0
    while not match.is_over:
        number += 1
        able = GAME.awaited(match.state)
        if (
            number % 9 == 0
            or match.state.may_claim
            or any(isinstance(m, GoOut) for m in _listed(match.state, able.seats[0]))
        ):
            before = fingerprint(match.state)
            for seat in SEATS:
                listed = GAME.legal_moves(match.state, seat)
                moves = {item.move for item in listed}
                assert len(moves) == len(listed)
                for move in thinkable_moves(match.state) | moves:
                    decision = GAME.decide(match.state, seat, move, match.draws)
                    assert isinstance(decision, Rejection) == (move not in moves), (seat, move, decision)
            assert fingerprint(match.state) == before
        match.step()


def _listed(state, seat):
    return [item.move for item in GAME.legal_moves(state, seat)]


@pytest.mark.parametrize("seed", range(4))
def test_cards_are_conserved_somebody_may_act_and_a_replay_equals_the_play(seed):
    match = RobotsMatch(f"whole {seed}", points=(4, 4, 4, 4))
    moments, moment = set(), ""
    while (awaited := GAME.awaited(match.state)) is not None:
        if awaited.moment != moment:
            moment = awaited.moment
            assert moment not in moments
            moments.add(moment)
        for seat in awaited.seats:
            assert [item for item in GAME.legal_moves(match.state, seat) if not item.consequence]
            assert GAME.automatic_move(match.state, seat) in _listed(match.state, seat)
        state = match.state
        for event in match.step():
            state = GAME.evolve(state, event)
            conserved(state)
    ends = [event for event in match.log if isinstance(event, MatchEnded)]
    assert ends == [match.log[-1]]
    replayed = match.initial
    for event in match.log:
        again = restored(*stored(event))
        assert again == event
        assert GAME.is_fair(again, replayed, match.draws)
        replayed = GAME.evolve(replayed, again)
    assert replayed == match.state
    assert state_hash(GAME.facts(replayed)) == state_hash(GAME.facts(match.state))


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in SWITCH_VALUES.items() for value in values]
)
def test_every_value_of_every_switch_plays_whole_matches(name, value):
    match = RobotsMatch(f"{name}={value}", {name: value}, points=(2, 1, 1, 2))
    while not match.is_over:
        match.step()
        conserved(match.state)
    assert GAME.result(match.state) is not None


def test_an_unfair_deal_or_stock_is_noticed():
    match = RobotsMatch("unfair")
    dealt = match.log[0]
    assert isinstance(dealt, RoundDealt)
    assert GAME.is_fair(dealt, match.initial, match.draws)
    first, second, *rest = dealt.stock
    swapped = RoundDealt(dealt.round, dealt.starter, dealt.vira, dealt.hands, (second, first, *rest))
    assert not GAME.is_fair(swapped, match.initial, match.draws)
    other = RoundDealt(dealt.round, (dealt.starter + 1) % 4, dealt.vira, dealt.hands, dealt.stock)
    assert not GAME.is_fair(other, match.initial, match.draws)
    assert sorted([*dealt.stock, dealt.vira, *(card for hand in dealt.hands for card in hand)]) == sorted(
        PACK
    )
