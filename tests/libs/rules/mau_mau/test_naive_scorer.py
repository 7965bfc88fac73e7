"""The engine and the naive scorer agree after every move of matches by chance."""

import time

import msgspec
import pytest

from libs.rules.mau_mau.events import CardsDealt, PileShuffled
from libs.rules.mau_mau.game import MAU_MAU as GAME
from tests.libs.rules.mau_mau.naive_scorer import Naive
from tests.libs.rules.mau_mau.tables import PLAYERS
from tests.libs.rules.proof.matches import ChanceMatch, seconds, seeds
from tests.libs.rules.proof.values import switch_values


def agree(naive, state):
    assert [tuple(hand) for hand in naive.hands] == list(state.hands)
    assert (tuple(naive.stock), tuple(naive.pile)) == (state.stock, state.pile)
    assert (naive.owed, naive.clockwise) == (state.penalty, state.step == 1)
    if state.is_over:
        assert naive.winner == state.winner
    else:
        assert naive.winner == "nobody yet"
        assert (naive.to_play, naive.named, naive.turns_over) == (state.to_play, state.suit, state.turn - 1)
        assert (naive.drew, naive.guilty) == (state.has_drawn, state.forgot_seat)


def orders(match):
    """The orders of the shuffles, each when it is asked for."""
    at = 0
    while True:
        while not isinstance(match.log[at], PileShuffled):
            at += 1
        yield match.log[at].order
        at += 1


def scored(players, seed):
    picker = ChanceMatch(GAME, players, seed).chance
    switches = {name: picker.choice(values) for name, values in switch_values(GAME).items()}
    match = ChanceMatch(GAME, players, seed, switches)
    deal = match.log[0]
    assert isinstance(deal, CardsDealt)
    rules = GAME.switches(match.initial.rules)
    naive = Naive(rules, deal.dealer, deal.cards, deal.turned, deal.stock, orders(match))
    agree(naive, match.state)
    while not match.is_over:
        match.step()
        seat, move = match.moves[-1]
        naive.do(seat, type(move).__name__, msgspec.structs.asdict(move))
        agree(naive, match.state)
    return len(match.moves)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_second_scorer_says_the_same_after_every_move(players):
    until, moves = time.monotonic() + 0.3 * seconds(), 0
    for seed in seeds(f"mau-mau for {players}, scored twice"):
        try:
            moves += scored(players, seed)
        except AssertionError as error:
            raise AssertionError(f"CARTEADO_TEST_SEED={seed.split('/')[0]}, match {seed}: {error}") from error
        if time.monotonic() > until:
            break
    assert moves
