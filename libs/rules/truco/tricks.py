"""Who wins a trick and, from its tricks, a hand (R-05 to R-09, R-19)."""

from __future__ import annotations

from collections.abc import Mapping

from libs.rules.truco.cards import COVERED_STRENGTH, STRENGTHS
from libs.rules.truco.rule_set import TieLeader
from libs.rules.truco.state import Play, State, Trick

TRIPLE_TIE_POINTS = 3

_WON_BY_A = ("AA", "A-", "-A", "--A", "ABA", "BAA", "AB-")
_SIDES: Mapping[str, int | None] = {"A": 0, "B": 1, "-": None}


def _outcomes() -> dict[tuple[int | None, ...], int | None]:
    mirrored = str.maketrans("AB", "BA")
    table: dict[tuple[int | None, ...], int | None] = {(None, None, None): None}
    for tricks in _WON_BY_A:
        table[tuple(_SIDES[trick] for trick in tricks)] = 0
        table[tuple(_SIDES[trick] for trick in tricks.translate(mirrored))] = 1
    return table


OUTCOMES: Mapping[tuple[int | None, ...], int | None] = _outcomes()
"""The winning side of a decided hand by the winning sides of its tricks (None: tied); what is not here goes on (R-08),
even where the cards that are left are sure to win (R-24)."""


def trick_winner(vira: str, plays: tuple[Play, ...]) -> tuple[int | None, int, int]:
    """The winning seat of a full trick, None when it is tied, and the first and last seat with its highest card.

    A trick is tied exactly when both sides show the highest strength (R-07); of two partners the first counts (R-05).
    """
    strengths = STRENGTHS[vira]
    best, first, last, is_tied = -1, 0, 0, False
    for play in plays:
        strength = COVERED_STRENGTH if play.covered else strengths[play.card]
        if strength > best:
            best, first, last, is_tied = strength, play.seat, play.seat, False
        elif strength == best:
            last = play.seat
            is_tied = is_tied or (play.seat - first) % 2 == 1
    return (None if is_tied else first), first, last


def leader_after_tie(rule: TieLeader, leader: int, first_tied: int, last_tied: int) -> int:
    """Who leads the trick after a tied one (R-06)."""
    if rule == "first_tied":
        return first_tied
    return last_tied if rule == "last_tied" else leader


def outcome_of(tricks: tuple[Trick, ...], winner_seat: int | None) -> tuple[int | None, ...]:
    """The winning side of each trick, with the one that ends now."""
    now = None if winner_seat is None else winner_seat % 2
    return (*(None if trick.winner_seat is None else trick.winner_seat % 2 for trick in tricks), now)


def triple_tie(state: State) -> tuple[int | None, int]:
    """The side that scores, and its points, when all three tricks tie (R-09, R-19; a mão de ferro scores nobody, R-20)."""
    if state.iron_hand:
        return None, 0
    if state.eleven_side is not None and state.rules.triple_tie_eleven_hand == "opponents3":
        return 1 - state.eleven_side, TRIPLE_TIE_POINTS
    rule = state.rules.triple_tie_raised
    if state.last_raise is None or rule == "none":
        return None, 0
    raiser = state.last_raise.by_seat % 2
    if rule == "opponent_unless_blind" and state.last_raise.on_empty_table:
        return raiser, TRIPLE_TIE_POINTS
    return 1 - raiser, TRIPLE_TIE_POINTS
