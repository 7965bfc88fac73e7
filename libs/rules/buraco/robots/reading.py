"""A view read for a robot: its side, its hand, the melds as they can be judged, how much time is left.

The house's rules are rebuilt as far as a view tells them; what it does not tell is played as in `buraco-aberto`.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from libs.rules.buraco.melds import Shape, judge
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.buraco.view import BuracoView, House, MeldView


class Reading(msgspec.Struct, frozen=True, gc=False):
    """What a robot knows of its moment.

    `turns_left` is how many more turns each seat will have if nobody goes out. `has_canastra` is whether the own side has
    what is needed to go out, and `foes_have_canastra` whether the others have.
    """

    rules: RuleSet
    seat: int
    side: int
    hand: tuple[str, ...]
    own: tuple[Shape, ...]
    numbers: tuple[int, ...]
    foes: tuple[Shape, ...]
    turns_left: float
    may_take_morto: bool
    has_morto: bool
    has_canastra: bool
    foes_have_morto: bool
    foes_have_canastra: bool
    fewest_of_foes: int
    red_threes: int
    has_any_canastra: bool
    lead: int

    @property
    def may_go_out(self) -> bool:
        """Whether the own side may end the deal."""
        return self.has_morto and self.has_canastra


@lru_cache(maxsize=64)
def rules_of(house: House) -> RuleSet:
    """The rules as far as a view tells them."""
    tranca = house.special_threes
    return RuleSet(
        jokers=house.jokers,
        sets=house.sets,
        special_threes=tranca,
        natural_two="never" if tranca else "slot",
        cleaning="never" if tranca else "recompute",
        lixo="open" if house.is_lixo_open else "closed",
        justify_top=house.justify_top,
        go_out="clean" if house.needs_clean_canastra else "any",
    )


def shape_of(rules: RuleSet, meld: MeldView) -> Shape:
    """A meld as it can be judged again; where the house judges otherwise, as it is shown."""
    found = judge(rules, meld.cards)
    return found if found is not None else Shape(meld.kind, meld.cards, 4, meld.wilds)


def read(view: BuracoView) -> Reading:
    """What the view's seat knows; raises ValueError for a spectator's view."""
    if view.seat is None:
        raise ValueError("a spectator has nothing to do")
    seat, rules = view.seat, rules_of(view.house)
    side = seat % 2
    own = [meld for meld in view.melds if meld.side == side]
    foes = [meld for meld in view.melds if meld.side != side]
    players = len(view.hands)
    mine, theirs = view.sides[side], view.sides[1 - side]
    return Reading(
        rules=rules,
        seat=seat,
        side=side,
        hand=view.hands[seat].cards,
        own=tuple([shape_of(rules, meld) for meld in own]),
        numbers=tuple([meld.number for meld in own]),
        foes=tuple([shape_of(rules, meld) for meld in foes]),
        turns_left=(view.stock_count + 11 * view.mortos_left) / players,
        may_take_morto=mine.morto_taker is None and view.mortos_left > 0,
        has_morto=mine.morto_taker is not None,
        has_canastra=_qualifies(view.house, own),
        foes_have_morto=theirs.morto_taker is not None,
        foes_have_canastra=_qualifies(view.house, foes),
        fewest_of_foes=min(hand.count for hand in view.hands if hand.seat % 2 != side),
        red_threes=len(mine.red_threes),
        has_any_canastra=any(meld.is_canastra for meld in own),
        lead=_lead(view, side),
    )


def _qualifies(house: House, melds: list[MeldView]) -> bool:
    return any(meld.is_canastra and (meld.is_clean or not house.needs_clean_canastra) for meld in melds)


def _lead(view: BuracoView, side: int) -> int:
    """How far ahead the own side would be if the deal ended now, by this seat going out; hands are guessed at eight a card."""
    totals = [0, 0]
    for one in view.sides:
        has_canastra = any(meld.is_canastra for meld in view.melds if meld.side == one.side)
        threes = 100 * len(one.red_threes)
        totals[one.side] = one.card_points + one.canastra_points + (threes if has_canastra else -threes)
        totals[one.side] -= 100 if one.morto_taker is None else 0
    for hand in view.hands:
        if hand.seat != view.seat:
            totals[hand.seat % 2] -= 8 * hand.count
    return totals[side] + 100 - totals[1 - side]
