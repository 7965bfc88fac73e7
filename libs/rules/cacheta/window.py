"""Jumping the queue: who may claim a discard, and what becomes of the claims (C-09, C-10)."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.cacheta.events import CachetaEvent, JumpFailed, WentOut, WindowClosed
from libs.rules.cacheta.layout import Layout, layout, melds_without
from libs.rules.cacheta.rounds import MOST_TURNS, round_void, round_won
from libs.rules.cacheta.state import State
from libs.rules.shuffle import Draws


def may_claim(state: State, discarder: int, following: int) -> tuple[int, ...]:
    """Who is asked for a discard, in turn order: the next player, and who is na boa and not burnt. Nobody, if there is no
    such player but the discarder.
    """
    entitled = [seat for seat in state.announced if seat != discarder and seat not in state.burnt]
    if not entitled:
        return ()
    others = [seat for seat in entitled if seat != following]
    return (following, *sorted(others, key=lambda seat: (seat - discarder) % state.players))


def with_claimed_card(state: State, seat: int) -> tuple[str, ...]:
    """The claimant's ten cards: the hand, and the discard as the last one."""
    return (*state.hands[seat], state.discards[-1])


def claim_of(state: State, seat: int) -> Layout:
    """What a seat could do with the discard."""
    return layout(state.rules, state.vira, with_claimed_card(state, seat))


def closed(state: State, claimed: tuple[int, ...], draws: Draws) -> Sequence[CachetaEvent]:
    """The judgement of these claims: the first in turn order that goes out wins, and each that cannot burns, except the
    next player's. If none goes out the next player draws.
    """
    in_order = [(seat, claim_of(state, seat)) for seat in state.may_claim if seat in claimed]
    failed = [
        JumpFailed(state.round, state.turn, seat, seat != state.to_play)
        for seat, able in in_order
        if not able.goes_out
    ]
    for seat, able in in_order:
        if able.goes_out:
            out = _went_out(state, seat, able)
            return (*failed, out, *round_won(state, out, draws))
    ended = WindowClosed(state.round, state.turn, state.to_play)
    if state.turn < MOST_TURNS:
        return (*failed, ended)
    return (*failed, ended, *round_void(state, "turns", draws))


def _went_out(state: State, seat: int, able: Layout) -> WentOut:
    """A claim names no discard: of those that leave nine that fit the last one in arrival order goes."""
    card = state.discards[-1]
    if able.melds is not None:
        return WentOut(state.round, state.turn, seat, able.melds, None, card)
    discard = able.discards[-1]
    melds = melds_without(state.rules, state.vira, with_claimed_card(state, seat), discard)
    return WentOut(state.round, state.turn, seat, melds, discard, card)
