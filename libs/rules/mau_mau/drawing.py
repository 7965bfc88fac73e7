"""Drawing from the stock, and the pile that becomes the stock when it is short (M-10).

Shuffle n of a match (counted from 1) is `draws.shuffled("pile-<n>", pile)` of the pile in the order in which it was played,
without its top card. What was left of the stock lies above it.
"""

from __future__ import annotations

from libs.rules.mau_mau.events import PileShuffled
from libs.rules.mau_mau.state import State
from libs.rules.shuffle import Draws

Drawn = tuple[tuple[PileShuffled, ...], tuple[str, ...]]
"""The shuffle that a draw needs, if it needs one, and the cards drawn."""


def drawn(state: State, count: int, draws: Draws) -> Drawn:
    """So many cards, or as many as there are."""
    stock = state.stock
    if len(stock) >= count:
        return (), stock[:count]
    shuffles = _shuffled(state, draws)
    return shuffles, _with(stock, shuffles)[:count]


def drawn_until(state: State, wanted: frozenset[str], draws: Draws) -> Drawn:
    """Cards up to the first one that is wanted, or all that there are (M-02)."""
    found = _up_to(state.stock, wanted)
    if found is not None:
        return (), found
    shuffles = _shuffled(state, draws)
    stock = _with(state.stock, shuffles)
    return shuffles, _up_to(stock, wanted) or stock


def _up_to(stock: tuple[str, ...], wanted: frozenset[str]) -> tuple[str, ...] | None:
    for count, card in enumerate(stock, start=1):
        if card in wanted:
            return stock[:count]
    return None


def _with(stock: tuple[str, ...], shuffles: tuple[PileShuffled, ...]) -> tuple[str, ...]:
    return stock + shuffles[0].order if shuffles else stock


def _shuffled(state: State, draws: Draws) -> tuple[PileShuffled, ...]:
    """The pile's cards anew, if it has any under its top."""
    return (shuffle_of_pile(state, draws),) if len(state.pile) > 1 else ()


def shuffle_of_pile(state: State, draws: Draws) -> PileShuffled:
    """The next shuffle of the match, as these draws give it."""
    number = state.shuffles + 1
    return PileShuffled(number, tuple(draws.shuffled(f"pile-{number}", state.pile[:-1])))
