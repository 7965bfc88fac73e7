"""Robots alone at the table, at every preset and number of players: never refused, never stuck, no card lost (B134)."""

import random

import pytest

from libs.rules.game import Rejection
from libs.rules.registry import GAMES
from libs.rules.shuffle import Draws
from libs.rules.truco.robots import ROBOTS
from tests.libs.rules.truco.situations import conserved
from tests.libs.rules.truco.tables import SECRET

MODES = [
    (preset, players)
    for preset, game in GAMES.items()
    if preset.startswith("truco")
    for players in game.player_counts
]
MAX_MOVES = 3_000


def play(game, players, number):
    """A match of every strength at once, each on seats of its own."""
    names = list(ROBOTS)
    draws, chance = Draws(SECRET, f"b134-{number}"), random.Random(number)
    robots = [ROBOTS[names[(seat + number) % len(names)]] for seat in range(players)]
    state = game.initial(game.rule_set({}), players)
    for event in game.start(state, draws):
        state = game.evolve(state, event)
    moves = 0
    while (awaited := game.awaited(state)) is not None:
        seat = chance.choice(awaited.seats)
        decision = game.decide(state, seat, robots[seat](game.view(state, seat), chance), draws)
        assert not isinstance(decision, Rejection), (number, seat, decision)
        for event in decision:
            state = game.evolve(state, event)
            conserved(state)
        moves += 1
        assert moves < MAX_MOVES, f"match {number} is stuck"
    assert max(state.score) == 12 or state.winner is not None


@pytest.mark.parametrize(("preset", "players"), MODES)
def test_b134_robots_alone_finish_their_matches(preset, players):
    for number in range(60):
        play(GAMES[preset], players, number)


@pytest.mark.proof
@pytest.mark.parametrize(("preset", "players"), MODES)
def test_b134_robots_alone_finish_a_thousand_matches(preset, players):
    for number in range(1_000):
        play(GAMES[preset], players, number)
