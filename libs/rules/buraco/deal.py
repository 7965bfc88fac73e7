"""The deal, so described that anyone can repeat it from the match's secret once that is revealed.

The first starter is `draws.below("starter", players)`. Deal n (counted from 1) shuffles `cards.pack(jokers)` under the label
`deal-<n>`. Of the shuffled pack the first eleven cards go to the starter, the next eleven to the seat after it, and so on;
then come eleven for the first morto and eleven for the second, and the rest is the stock, drawn from its first card on
(B-02). The starter moves one seat each deal (G-03, G-04).
"""

from __future__ import annotations

from libs.rules.buraco.cards import RED_THREES, pack
from libs.rules.buraco.events import (
    BuracoEvent,
    DealStarted,
    MortoTaken,
    MortoTurned,
    RedThreeReplaced,
    StockDrawn,
)
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.buraco.state import State
from libs.rules.shuffle import Draws

CARDS_PER_SEAT = 11
MORTOS = 2


def first_starter(players: int, draws: Draws) -> int:
    """Who plays first in the first deal, each seat equally likely (G-03)."""
    return draws.below("starter", players)


def dealt(rules: RuleSet, draws: Draws, *, deal: int, starter: int, turn: int, players: int) -> DealStarted:
    """The deal of this number: hands, mortos, stock and the start of the lixo (B-02, B-03)."""
    cards = draws.shuffled(f"deal-{deal}", pack(rules.jokers))
    parts = [
        tuple(cards[start : start + CARDS_PER_SEAT])
        for start in range(0, (players + MORTOS) * CARDS_PER_SEAT, CARDS_PER_SEAT)
    ]
    stock = cards[(players + MORTOS) * CARDS_PER_SEAT :]
    lixo: tuple[str, ...] = ()
    if rules.lixo_start == "one_turned":
        while rules.special_threes and stock[0] in RED_THREES:
            stock.append(stock.pop(0))
        lixo = (stock.pop(0),)
    return DealStarted(
        deal=deal,
        starter=starter,
        turn=turn,
        hands=tuple([parts[(seat - starter) % players] for seat in range(players)]),
        mortos=tuple(parts[players:]),
        stock=tuple(stock),
        lixo=lixo,
    )


def next_deal(state: State, draws: Draws) -> DealStarted:
    """The deal that follows upon this state: the first one, or the one after the deal that has ended."""
    starter = (state.starter + 1) % state.players if state.deal else first_starter(state.players, draws)
    return dealt(
        state.rules,
        draws,
        deal=state.deal + 1,
        starter=starter,
        turn=state.turn + 1,
        players=state.players,
    )


def is_fair(event: BuracoEvent, before: State, draws: Draws) -> bool:
    """Whether a deal is the one that these draws give after the state before it, and a card taken unseen the next one."""
    match event:
        case DealStarted():
            return event == next_deal(before, draws)
        case StockDrawn() | RedThreeReplaced():
            return before.stock[:1] == (event.card,)
        case MortoTaken() | MortoTurned():
            return before.mortos[:1] == (event.cards,)
        case _:
            return True
