"""The deal of a hand, so described that anyone can repeat it from the match's secret once that is revealed.

The first dealer is `draws.below("dealer", players)`. Hand n (counted from 1) shuffles `cards.PACK` under the label
`hand-<n>`. Of the shuffled pack the first three cards go to the seat after the dealer, the next three to the seat
after that one, and so on, the dealer last; the next card is the vira, turned once a hand (G-01), and the rest stays
out of play. The deal moves one seat each hand, tied hands included (G-03, R-04). What signals mean is drawn as `signals` says (R-23).
"""

from __future__ import annotations

from libs.rules.shuffle import Draws
from libs.rules.truco.cards import PACK
from libs.rules.truco.events import HandDealt
from libs.rules.truco.raising import ELEVEN, ELEVEN_HAND_VALUE, sides_in_eleven_hand
from libs.rules.truco.rule_set import RuleSet
from libs.rules.truco.signals import signal_tables
from libs.rules.truco.state import State

CARDS_PER_SEAT = 3
BOTH_SIDES = (0, 1)


def first_dealer(players: int, draws: Draws) -> int:
    """Who deals the first hand, each seat equally likely (G-03)."""
    return draws.below("dealer", players)


def dealt_hand(
    rules: RuleSet, score: tuple[int, int], draws: Draws, *, hand: int, dealer: int, players: int
) -> HandDealt:
    """The deal of this hand at this score: its cards, who leads, and what it is worth (R-04, R-17, R-18, R-20), and what
    its signals mean (R-23)."""
    pack = draws.shuffled(f"hand-{hand}", PACK)
    leader = (dealer + 1) % players
    cards: list[tuple[str, ...]] = [()] * players
    for order in range(players):
        start = order * CARDS_PER_SEAT
        cards[(leader + order) % players] = tuple(pack[start : start + CARDS_PER_SEAT])
    iron_hand = score == (ELEVEN, ELEVEN)
    eleven_side = score.index(ELEVEN) if ELEVEN in score and not iron_hand else None
    blind = iron_hand and rules.iron_hand == "blind"
    raising_sides: tuple[int, ...] = () if iron_hand else BOTH_SIDES
    value, awaits_answer = 1, False
    if eleven_side is not None:
        awaits_answer = rules.eleven_decision == "look_and_answer"
        raising_sides = () if awaits_answer else sides_in_eleven_hand(rules, score, eleven_side)
        value = 1 if awaits_answer else ELEVEN_HAND_VALUE
    return HandDealt(
        hand=hand,
        dealer=dealer,
        leader=leader,
        vira=pack[players * CARDS_PER_SEAT],
        cards=tuple(cards),
        value=value,
        eleven_side=eleven_side,
        iron_hand=iron_hand,
        blind=blind,
        awaits_eleven_answer=awaits_answer,
        may_raise_sides=raising_sides,
        signal_tables=signal_tables(hand, draws) if rules.signals and not blind else (),
    )


def is_fair_deal(dealt: HandDealt, before: State, draws: Draws) -> bool:
    """Whether a deal is the one that these draws give after the state before it: its cards, vira, dealer and worth."""
    dealer = first_dealer(before.players, draws) if not before.hand else (before.dealer + 1) % before.players
    expected = dealt_hand(
        before.rules, before.score, draws, hand=before.hand + 1, dealer=dealer, players=before.players
    )
    return dealt == expected
