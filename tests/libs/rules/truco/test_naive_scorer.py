"""The engine and the naive scorer agree on every trick, hand and end of matches by chance."""

from __future__ import annotations

import time

import pytest

from libs.rules.truco.events import HandEnded, MatchEnded, TrickEnded
from tests.libs.rules.proof.matches import VARIANTS, ChanceMatch, seconds, seeds
from tests.libs.rules.proof.values import switch_values
from tests.libs.rules.truco.naive_scorer import strength, told


def said(events):
    """What the engine's own events say, in the scorer's words."""
    for event in events:
        match event:
            case TrickEnded():
                yield "trick", event.winner_seat
            case HandEnded():
                yield "hand", (event.winner_side, tuple(event.score))
            case MatchEnded():
                yield "match", (event.winner_side, tuple(event.score))


@pytest.mark.parametrize(
    ("preset", "players"), [variant for variant in VARIANTS if variant[0].startswith("truco")]
)
def test_a_second_scorer_says_the_same_of_every_match(preset, players):
    until, hands = time.monotonic() + seconds(), 0
    for seed in seeds(f"{preset} for {players}, scored twice"):
        picker = ChanceMatch(preset, players, seed).chance
        switches = {name: picker.choice(values) for name, values in switch_values(preset).items()}
        match = ChanceMatch(preset, players, seed, switches).play()
        rules = match.game.switches(match.game.rule_set(switches))
        assert list(told(match.log, rules, players)) == list(said(match.log)), (seed, switches)
        hands += sum(isinstance(event, HandEnded) for event in match.log)
        if time.monotonic() > until:
            break
    assert hands


def test_the_scorer_orders_the_cards_as_the_ruling_does():
    assert strength("4P", "3O") > strength("4C", "3O") > strength("4E", "3O") > strength("4O", "3O")
    assert strength("4O", "3O") > strength("3P", "3O") > strength("2P", "3O") > strength("5P", "3O")
