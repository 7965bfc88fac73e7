"""The deal of a round, so described that anyone can repeat it from the match's secret once that is revealed.

The first starter is `draws.below("starter", players)`. Round n (counted from 1) shuffles `cards.PACK` under the label
`round-<n>`. Of the shuffled pack the first nine cards go to the starter, the next nine to the next seat still in the match,
and so on; the next card is the vira, and the rest is the stock, its top card first. The k-th reshuffle of round n shuffles
the discard pile without its top card, from its bottom up, under `reshuffle-<n>-<k>`. The starter moves on to the next seat
still in the match, void rounds included (G-03, C-13).
"""

from __future__ import annotations

from libs.rules.cacheta.cards import PACK
from libs.rules.cacheta.events import RoundDealt, StockReshuffled
from libs.rules.cacheta.state import State, seat_after
from libs.rules.shuffle import Draws

CARDS_PER_SEAT = 9


def first_round(state: State, draws: Draws) -> RoundDealt:
    """The first deal, by a starter who is drawn (C-13)."""
    return _dealt(state.points, 1, draws.below("starter", state.players), draws)


def next_round(state: State, points: tuple[int, ...], draws: Draws) -> RoundDealt:
    """The deal after the round that this state is in, among those who still have points (C-13)."""
    return _dealt(points, state.round + 1, seat_after(points, state.starter), draws)


def _dealt(points: tuple[int, ...], number: int, starter: int, draws: Draws) -> RoundDealt:
    pack = draws.shuffled(f"round-{number}", PACK)
    players = len(points)
    hands: list[tuple[str, ...]] = [()] * players
    at = 0
    for step in range(players):
        seat = (starter + step) % players
        if points[seat]:
            hands[seat] = tuple(pack[at : at + CARDS_PER_SEAT])
            at += CARDS_PER_SEAT
    return RoundDealt(number, starter, pack[at], tuple(hands), tuple(pack[at + 1 :]))


def reshuffled(state: State, draws: Draws) -> StockReshuffled:
    """The new stock from the discard pile without its top card (C-11)."""
    label = f"reshuffle-{state.round}-{state.reshuffles + 1}"
    return StockReshuffled(state.round, tuple(draws.shuffled(label, state.discards[:-1])))


def is_fair(event: RoundDealt | StockReshuffled, before: State, draws: Draws) -> bool:
    """Whether a deal or a new stock is the one that these draws give after the state before it."""
    if isinstance(event, StockReshuffled):
        return event == reshuffled(before, draws)
    if before.round == 0:
        return event == first_round(before, draws)
    return event == next_round(before, before.points, draws)
