"""What a deal is worth to each side, part by part (B-46 to B-50, T-06, T-10, T-11)."""

from __future__ import annotations

from collections.abc import Iterable

from libs.rules.buraco.cards import BLACK_THREES, TABLE_VALUE
from libs.rules.buraco.events import SideScore
from libs.rules.buraco.melds import canastra_points, is_canastra
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.buraco.state import State, own_shapes

BATIDA = 100
MORTO_PENALTY = 100
RED_THREE = 100
ALL_RED_THREES = 4
FLAT_VALUE = 10
"""T-11: what every card is worth under `all_ten`."""


def worth(rules: RuleSet, cards: Iterable[str]) -> int:
    """What cards on the table are worth (B-49, T-11)."""
    if rules.card_values == "all_ten":
        return FLAT_VALUE * sum(1 for _ in cards)
    return sum([TABLE_VALUE[card] for card in cards])


def worth_in_hand(rules: RuleSet, cards: Iterable[str]) -> int:
    """What cards left in a hand cost (B-50); a black three has a value of its own where it is special (T-10)."""
    if not rules.special_threes:
        return worth(rules, cards)
    cards = tuple(cards)
    ordinary = [card for card in cards if card not in BLACK_THREES]
    return worth(rules, ordinary) + rules.black_three_in_hand * (len(cards) - len(ordinary))


def table_points(state: State, side: int) -> tuple[int, int]:
    """The cards that a side has on the table, and its canastras (B-18, B-50)."""
    cards = canastras = 0
    for meld in state.melds:
        if meld.side == side:
            cards += worth(state.rules, meld.shape.cards)
            canastras += canastra_points(state.rules, meld.shape)
    return cards, canastras


def side_score(state: State, side: int, out_seat: int | None) -> SideScore:
    """The points of a side in a deal that this seat ended by going out, or that the end of the stock ended (None)."""
    rules = state.rules
    cards, canastras = table_points(state, side)
    goes_out = out_seat is not None and out_seat % 2 == side
    # B-48: what an indirect batida took and nobody has played counts for nobody once the others go out.
    unplayed = (
        [morto for morto in state.unplayed if morto.seat % 2 == side]
        if rules.unplayed_morto_pays and out_seat is not None and not goes_out
        else []
    )
    void_seats = {morto.seat for morto in unplayed}
    in_hand = sum(
        [
            worth_in_hand(rules, hand)
            for seat, hand in enumerate(state.hands)
            if seat % 2 == side and seat not in void_seats
        ]
    )
    red_threes = len(state.red_threes[side]) - sum(len(morto.red_threes) for morto in unplayed)
    pays = state.takers[side] is None or bool(unplayed)
    if goes_out and rules.morto_penalty == "not_who_goes_out":
        pays = False
    parts = (
        cards,
        canastras,
        BATIDA if goes_out else 0,
        _red_three_points(state, side, red_threes),
        -in_hand,
        -MORTO_PENALTY if pays else 0,
    )
    return SideScore(*parts, sum(parts))


def _red_three_points(state: State, side: int, count: int) -> int:
    """T-06: for the side where it has a canastra, against it where it has none."""
    points = state.rules.four_red_threes if count == ALL_RED_THREES else RED_THREE * count
    has_canastra = any(is_canastra(state.rules, shape) for shape in own_shapes(state, side, None))
    return points if has_canastra else -points
