"""The deal, so described that anyone can repeat it from the match's secret once that is revealed.

The dealer is `draws.below("dealer", players)` (G-03). `cards.PACK` is shuffled under the label `deal`. Of the shuffled pack
the first five cards go to the seat after the dealer, the next five to the seat after that one, and so on, the dealer
last; the next card is turned, and the rest is the stock, its first card on top (M-01). The turned card counts as played by
the dealer (M-09).
"""

from __future__ import annotations

from libs.rules.mau_mau.cards import PACK, RANK
from libs.rules.mau_mau.drawing import drawn
from libs.rules.mau_mau.events import CardsDealt, CardsDrawn, MauMauEvent
from libs.rules.mau_mau.evolve import evolve
from libs.rules.mau_mau.rule_set import RuleSet
from libs.rules.mau_mau.state import State
from libs.rules.shuffle import Draws

CARDS_PER_SEAT = 5
SEVENS_PENALTY = 2
"""What each seven adds to the penalty (M-04)."""


def dealt(rules: RuleSet, players: int, draws: Draws) -> CardsDealt:
    """The deal that these draws give, and who plays first after the turned card (M-09)."""
    dealer = draws.below("dealer", players)
    pack = draws.shuffled("deal", PACK)
    cards: list[tuple[str, ...]] = [()] * players
    for order in range(players):
        start = order * CARDS_PER_SEAT
        cards[(dealer + 1 + order) % players] = tuple(pack[start : start + CARDS_PER_SEAT])
    turned = pack[players * CARDS_PER_SEAT]
    effect = RANK[turned] if rules.first_card == "as_discard" else ""
    step = -1 if effect == "Q" else 1
    return CardsDealt(
        dealer=dealer,
        cards=tuple(cards),
        turned=turned,
        stock=tuple(pack[players * CARDS_PER_SEAT + 1 :]),
        first_seat=(dealer + (2 if effect == "A" else step)) % players,
        step=step,
        penalty=SEVENS_PENALTY if effect == "7" else 0,
    )


def first_events(state: State, draws: Draws) -> tuple[MauMauEvent, ...]:
    """The deal, and the card that a turned nine makes the seat before the dealer draw (M-05, M-09)."""
    deal = dealt(state.rules, state.players, draws)
    if RANK[deal.turned] != "9" or state.rules.first_card != "as_discard":
        return (deal,)
    _, cards = drawn(evolve(state, deal), 1, draws)
    return (deal, CardsDrawn(1, (deal.dealer - 1) % state.players, cards, "nine"))
