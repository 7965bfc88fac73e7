"""A hand as it is described: which faces are in it, and which card of a face is named.

Faces are bits of a whole number, fourteen for a suit, an ace the lowest of them and none of its own the highest, where an ace
stands above the king: what a suit may make is then looked up by its ranks. Of twins the first one in the hand is named.
"""

from __future__ import annotations

from collections.abc import Mapping

from libs.rules.buraco.cards import FACE, JOKERS, NATURALS, PACKS, RANKS, SUITS

JOKER = "JK"
WILD_FACES = (*(f"2{suit}" for suit in SUITS), JOKER)

SUIT_BITS = 14
"""From a suit's bits to those of the next one in `SUITS`."""
RANK_BITS = (1 << 13) - 1
"""The ranks of the lowest suit."""
ACE_BIT, TWO_BIT = 1, 2
"""Of the lowest suit."""

_PACK_BITS = SUIT_BITS * len(SUITS)
_PACK_MASK = (1 << _PACK_BITS) - 1
_JOKER_BIT = 1 << _PACK_BITS
FACE_BIT: Mapping[str, int] = {
    **{
        rank + suit: 1 << SUIT_BITS * place + number
        for place, suit in enumerate(SUITS)
        for number, rank in enumerate(RANKS)
    },
    JOKER: _JOKER_BIT,
}
"""The bit of each face."""
_FACE_OF_BIT: Mapping[int, str] = {bit: shown for shown, bit in FACE_BIT.items()}
_BIT: Mapping[str, int] = {
    **{card: FACE_BIT[card[:2]] << _PACK_BITS * PACKS.index(card[2]) for card in NATURALS},
    **{card: 1 << 2 * _PACK_BITS + place for place, card in enumerate(JOKERS)},
}
_bit_of = _BIT.__getitem__
_COPIES: Mapping[int, tuple[str, str]] = {
    FACE_BIT[rank + suit]: (rank + suit + PACKS[0], rank + suit + PACKS[1])
    for rank in RANKS
    for suit in SUITS
}
"""The cards of each face that is no joker."""

_TWOS = sum(TWO_BIT << SUIT_BITS * place for place in range(len(SUITS)))
ACES = sum(ACE_BIT << SUIT_BITS * place for place in range(len(SUITS)))
_MOVABLE = ACES | _TWOS
_WILDS: Mapping[int, tuple[str, ...]] = {
    sum(TWO_BIT << SUIT_BITS * place for place in range(len(SUITS)) if code >> place & 1): tuple(
        [f"2{suit}" for place, suit in enumerate(SUITS) if code >> place & 1]
    )
    for code in range(1 << len(SUITS))
}
"""The 2s by their bits, in the order of `WILD_FACES`."""


class Held:
    """The cards of a hand. `faces` are the bits of those that are naturals, `twins` of those held twice, and `shown` are `faces`
    and the jokers'.
    """

    __slots__ = ("_bits", "_names", "cards", "faces", "shown", "twins")

    def __init__(self, cards: tuple[str, ...]) -> None:
        """`cards` in the order in which they are named."""
        bits = sum(map(_bit_of, cards))
        above = bits >> _PACK_BITS
        self.cards = cards
        self._bits = bits
        self.faces = faces = (bits | above) & _PACK_MASK
        self.twins = bits & above & _PACK_MASK
        self.shown = faces if above <= _PACK_MASK else faces | _JOKER_BIT
        self._names: dict[str, str] | None = None

    @property
    def names(self) -> Mapping[str, str]:
        """The card to be named first of each face; of aces and 2s that are held twice the second one too, as `+AP`."""
        names = self._names
        if names is None:
            face_of = FACE
            names = self._names = {face_of[card]: card for card in self.cards[::-1]}
            if self.twins & _MOVABLE:
                names.update(
                    [
                        (f"+{face_of[card]}", card)
                        for card in self.cards
                        if card[0] in "A2" and names[face_of[card]] != card
                    ]
                )
        return names

    def first(self, bit: int) -> str:
        """The card to be named first of the face of this bit; one must be held."""
        if self._names is not None or bit == _JOKER_BIT:
            return self.names[_FACE_OF_BIT[bit]]
        # One card or two are found faster than all are named.
        first, second = _COPIES[bit]
        if bit & self.twins:
            return first if self.cards.index(first) < self.cards.index(second) else second
        return first if bit & self._bits else second

    def named(self, faces: int) -> tuple[str, ...]:
        """The card to be named first of each of these faces, which must be held, in the order of the hand."""
        lowest = faces & -faces
        if lowest == faces:
            return (self.first(faces),)
        found = []
        while faces:
            lowest = faces & -faces
            found.append(self.first(lowest))
            faces ^= lowest
        found.sort(key=self.cards.index)
        return tuple(found)

    def last(self, shown: str) -> str:
        """The card of this face that is named last; one must be held."""
        return next(card for card in reversed(self.cards) if FACE[card] == shown)

    @property
    def wilds(self) -> tuple[str, ...]:
        """The faces of the wilds, in the order of `WILD_FACES`."""
        twos = _WILDS[self.faces & _TWOS]
        return (*twos, JOKER) if self.shown & _JOKER_BIT else twos
