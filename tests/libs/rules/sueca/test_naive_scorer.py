"""The engine and the naive scorer agree on every trick, hand and end of matches by chance."""

import time

from libs.rules.sueca.events import CardPlayed, HandEnded, MatchEnded, TrickEnded
from libs.rules.sueca.game import SUECA as GAME
from tests.libs.rules.proof.matches import ChanceMatch, seconds, seeds
from tests.libs.rules.sueca.naive_scorer import told, winner


def said(events):
    """What the engine's own events say, in the scorer's words."""
    cards = 0
    for event in events:
        match event:
            case CardPlayed():
                if cards % 4 == 0:
                    yield "lead", event.seat
                cards += 1
            case TrickEnded():
                yield "trick", (event.winner_seat, event.points)
            case HandEnded():
                yield "hand", (event.winner_side, event.points, tuple(event.score), event.carry)
            case MatchEnded():
                yield "match", (event.winner_side, tuple(event.score))


def test_a_second_scorer_says_the_same_of_every_match():
    until, hands = time.monotonic() + seconds(), 0
    for seed in seeds("sueca, scored twice"):
        picker = ChanceMatch(GAME, 4, seed).chance
        switches = {"tie_carry": picker.choice(["cumulative", "single"])}
        match = ChanceMatch(GAME, 4, seed, switches).play()
        assert list(told(match.log, GAME.switches(match.state.rules))) == list(said(match.log)), seed
        hands += sum(isinstance(event, HandEnded) for event in match.log)
        if time.monotonic() > until:
            break
    assert hands


def test_the_scorer_orders_the_cards_as_the_platform_does():
    assert winner([(0, "KC"), (1, "7C"), (2, "2C"), (3, "JC")], "E") == 1
    assert winner([(0, "AC"), (1, "7C"), (2, "2E"), (3, "JC")], "E") == 2
