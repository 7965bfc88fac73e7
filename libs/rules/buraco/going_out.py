"""When a hand may be emptied: for a morto, or to go out (B-35 to B-41)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from libs.rules.buraco.cards import ANY_COPY, face
from libs.rules.buraco.melds import Shape, is_canastra
from libs.rules.buraco.state import State


def may_take_morto(state: State, side: int) -> bool:
    """A morto is on the table and the side has taken none (B-36)."""
    return bool(state.mortos) and state.takers[side] is None


def may_go_out(state: State, side: int, shapes: Iterable[Shape]) -> bool:
    """Whether the side may end the deal with these melds of its own on the table (B-37, B-38)."""
    rules = state.rules
    if state.takers[side] is None:
        match rules.go_out_without_morto:
            case "never":
                return False
            case "both_became_stock":
                if state.mortos_turned < 2:
                    return False
            case "if_none_left":
                if state.mortos:
                    return False
    return any(is_canastra(rules, shape) and (shape.clean or rules.go_out == "any") for shape in shapes)


def barred_cards(state: State) -> Sequence[str]:
    """The cards that may not be discarded in this turn (B-32), by switch all of the face (B-33), in hand or not."""
    if not state.barred or state.rules.one_card_lixo_match == "physical":
        return state.barred
    return [face(card) + copy for card in state.barred for copy in ANY_COPY]


def leaves_enough(
    state: State, side: int, left: Collection[str], shapes: Callable[[], Iterable[Shape]]
) -> bool:
    """Whether a meld, an addition or a lixo may leave these cards in the hand (B-32, B-39).

    `shapes` gives the side's melds after the play: what it brings about counts (B-41).
    """
    if state.barred and left:
        barred = barred_cards(state)
        if all(card in barred for card in left):
            return False
    return len(left) >= 2 or may_take_morto(state, side) or may_go_out(state, side, shapes())
