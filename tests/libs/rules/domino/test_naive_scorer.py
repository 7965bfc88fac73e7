"""The engine and the naive scorer agree on every play, pass, round and end of matches by chance."""

from __future__ import annotations

import time
from collections import Counter

from libs.rules.domino.events import MatchEnded, RoundDealt, RoundEnded, SeatPassed, TilePlayed
from tests.libs.rules.domino.naive_scorer import told
from tests.libs.rules.domino.tables import ChanceMatch
from tests.libs.rules.proof.matches import seconds, seeds

TIED = ("tied-29", "tied-41", "tied-58", "tied-66", "tied-92")


def said(events):
    """What the engine's own events say, in the scorer's words."""
    for event in events:
        match event:
            case RoundDealt():
                yield "deal", (event.starter, event.opening == "6-6")
            case TilePlayed():
                yield "play", (event.seat, event.ends)
            case SeatPassed():
                yield "pass", event.seat
            case RoundEnded():
                yield (
                    "round",
                    (event.ending, event.winner_side, event.points, tuple(event.score), event.next_starter),
                )
            case MatchEnded():
                yield "match", (event.winner_side, tuple(event.score))


def test_a_second_scorer_says_the_same_of_every_match():
    until, endings = time.monotonic() + seconds(), Counter()
    for seed in seeds("domino, scored twice"):
        match = ChanceMatch(seed).play()
        assert list(told(match.log)) == list(said(match.log)), seed
        endings.update(event.ending for event in match.log if isinstance(event, RoundEnded))
        if time.monotonic() > until:
            break
    assert endings["went_out"]


def test_it_says_the_same_of_rounds_that_are_blocked_with_equal_pips():
    """They are rare, so the seeds that have one are named."""
    endings = Counter()
    for seed in TIED:
        match = ChanceMatch(seed).play()
        assert list(told(match.log)) == list(said(match.log))
        endings.update(event.ending for event in match.log if isinstance(event, RoundEnded))
    assert endings["blocked_tied"] >= len(TIED)
