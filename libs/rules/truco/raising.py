"""The steps of a raise, who has the right to the next one, and what a forbidden call costs (R-11, R-15, R-18, R-20)."""

from __future__ import annotations

from typing import Literal

from libs.rules.truco.rule_set import RuleSet
from libs.rules.truco.state import State

STEPS = (3, 6, 9, 12)
NEXT_STEP = {1: 3, 3: 6, 6: 9, 9: 12}
"""What a hand of this value may be raised to; a hand of 12 is not in it."""

POINTS_TO_WIN = 12
ELEVEN = 11
ELEVEN_HAND_VALUE = 3

Consequence = Literal["loses_match", "opponents_score_three"]


def is_capped(rules: RuleSet, score: tuple[int, int], side: int, value: int) -> bool:
    """Whether winning at this called value would already end the match, so that the side may not go above it (R-15)."""
    return rules.raise_cap and score[0] != score[1] and score[side] + value >= POINTS_TO_WIN


def sides_after_accepted_raise(state: State, value: int, accepting_side: int) -> tuple[int, ...]:
    """The sides that may raise above an accepted value: the accepting one, or nobody (R-11, R-15, R-18)."""
    if value not in NEXT_STEP or state.eleven_side is not None:
        return ()
    return () if is_capped(state.rules, state.score, accepting_side, value) else (accepting_side,)


def sides_in_eleven_hand(rules: RuleSet, score: tuple[int, int], eleven_side: int) -> tuple[int, ...]:
    """The sides that may raise a mão de onze: under `opponents_once` the other one, once (R-18)."""
    other = 1 - eleven_side
    if rules.raise_in_eleven_hand != "opponents_once" or is_capped(rules, score, other, ELEVEN_HAND_VALUE):
        return ()
    return (other,)


def punishment(state: State, side: int) -> Consequence | None:
    """What a call by this side costs it in a mão de onze that is being played (R-18) or a mão de ferro (R-20).

    None when a call is not punished, whether it is allowed or not. Before a mão de onze is accepted a call is out of
    phase, which is not asked here.
    """
    rule = state.rules.raise_in_eleven_hand
    if not state.iron_hand:
        if state.eleven_side is None:
            return None
        if rule == "opponents_once" and side != state.eleven_side:
            return None
    return "opponents_score_three" if rule == "any_pays3" else "loses_match"


def raising_sides(state: State) -> tuple[int, ...]:
    """The sides that may call the next raise: while one is pending only the asked side, as a counter (R-11, R-15)."""
    if state.pending is None:
        return state.raising_sides
    side, value = 1 - state.pending.by_seat % 2, state.pending.value
    if value not in NEXT_STEP or punishment(state, side) is not None:
        return ()
    return () if is_capped(state.rules, state.score, side, value) else (side,)


def punished_steps(state: State) -> tuple[int, ...]:
    """The steps that count as a call where calls are punished: none that has been asked before.

    The hand's own value counts too while nothing is pending: a mão de onze is worth 3 from its start, and its
    forbidden call is just "truco".
    """
    if state.pending is not None:
        return tuple(step for step in STEPS if step > state.pending.value)
    return tuple(step for step in STEPS if step >= state.value)
