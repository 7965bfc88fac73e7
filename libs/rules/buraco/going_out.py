"""When a hand may be emptied: for a morto, or to go out (B-35 to B-41)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from libs.rules.buraco.cards import face
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


def is_barred(state: State, card: str) -> bool:
    """Whether a card may not be discarded in this turn (B-32), its twin neither by switch (B-33)."""
    if card in state.barred:
        return True
    by_face = state.rules.one_card_lixo_match == "face"
    return by_face and any(face(card) == face(barred) for barred in state.barred)


def leaves_enough(state: State, side: int, left: Collection[str], shapes: Iterable[Shape]) -> bool:
    """Whether a meld, an addition or a lixo may leave these cards in the hand (B-32, B-39).

    `shapes` are the side's melds after the play: what it brings about counts (B-41).
    """
    if state.barred and left and all(is_barred(state, card) for card in left):
        return False
    return len(left) >= 2 or may_take_morto(state, side) or may_go_out(state, side, shapes)
