"""A second judge of hands, written from the rulings alone (C-01 to C-06) and in the plainest way: every legal meld of so
many cards is written out, and a hand is cut into melds in every way there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"
RED, BLACK = "CO", "PE"


def wilds_of(vira: str) -> set[str]:
    """The wild faces (C-01)."""
    following = (RANKS + "A")[RANKS.index(vira[0]) + 1]
    return {following + suit for suit in (RED if vira[1] in RED else BLACK)}


@cache
def runs(suit: str, size: int) -> tuple[Counter[str], ...]:
    """Every run of so many cards of a suit, as the faces that its places stand for (C-05)."""
    circle = RANKS + "A"
    starts = range(len(circle) - size + 1)
    return tuple(Counter(rank + suit for rank in circle[first : first + size]) for first in starts)


@cache
def sets(rank: str, size: int, four_suits: bool) -> tuple[Counter[str], ...]:
    """Every set of so many cards of a rank: three suits (or four), and at most two doubles of suits in it (C-04)."""
    found = []
    for different in (3, 4) if four_suits else (3,):
        if 0 <= size - different <= 2:
            for suits in combinations(RED + BLACK, different):
                found += [
                    Counter(rank + suit for suit in (*suits, *doubles))
                    for doubles in combinations(suits, size - different)
                ]
    return tuple(found)


def is_meld(faces: Sequence[str], wilds: set[str], most: int | None, four_suits: bool) -> bool:
    """Whether these cards are a meld (C-03): some run or set has a place for each that is not wild."""
    naturals = Counter(face for face in faces if face not in wilds)
    substitutes = len(faces) - naturals.total()
    if len(faces) < 3 or not naturals or (most is not None and substitutes > most):
        return False
    rank, suit = next(iter(naturals))
    return any(naturals <= template for template in runs(suit, len(faces))) or any(
        naturals <= template for template in sets(rank, len(faces), four_suits)
    )


class Hand:
    """Some cards, of which every subset is judged once; cards are bits, in the order given."""

    def __init__(
        self, cards: Sequence[str], vira: str, most: int | None = None, four_suits: bool = False
    ) -> None:
        faces = [card[:2] for card in cards]
        wilds = wilds_of(vira)
        self.size = len(cards)
        self._melds = [
            bits
            for bits in range(1 << len(faces))
            if is_meld([face for i, face in enumerate(faces) if bits >> i & 1], wilds, most, four_suits)
        ]

    def may_lie(self, bits: int) -> bool:
        """Whether these of the cards can be cut into melds: every way is tried."""
        if not bits:
            return True
        lowest = bits & -bits
        return any(
            self.may_lie(bits & ~meld) for meld in self._melds if meld & lowest and meld & bits == meld
        )

    def whole(self) -> bool:
        """Whether all of them can."""
        return self.may_lie((1 << self.size) - 1)

    def without(self, place: int) -> bool:
        """Whether all but this one can."""
        return self.may_lie(((1 << self.size) - 1) & ~(1 << place))

    def goes_out(self) -> bool:
        """Whether all of them can, or all but one."""
        return self.whole() or any(self.without(place) for place in range(self.size))
