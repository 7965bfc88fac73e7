"""Cards, suits and seats as a notation prints them: `7♣` for `7P`, `a` for seat 0.

Where each card of two packs has its own code, the second pack's are printed with a stroke: `7♣'` for `7Pb`, `10♣` for `TPa`.

>>> shown("10C"), shown("7Ea"), shown("7Eb"), shown("JKa"), shown("3-5")
('10♥', '7♠', "7♠'", 'JKa', '3-5')
>>> code("10♥"), pack_code("10♥"), pack_code("7♠'"), pack_code("JKa")
('10C', 'TCa', '7Eb', 'JKa')
>>> printed("(7P)"), printed("JP=C"), printed("truco")
('(7♣)', 'J♣=♥', 'truco')
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SEATS = "abcdefgh"
"""The seats in the order of play, from seat 0 on; small letters, since ranks and suits are never small."""

SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}
LETTERS = {symbol: letter for letter, symbol in SUITS.items()}

_RANK = "(10|[2-9ATJQK])"
_CODE = re.compile(rf"{_RANK}([PCEO])([ab]?)")
_TYPED = re.compile(rf"(?<!\w){_RANK}([PCEO])(?!\w)|(?<==)([PCEO])(?!\w)")
_SHOWN = re.compile(r"(10|[2-9AJQK])([♣♥♠♦])('?)|JK[a-d]")


def shown(card: str) -> str:
    """A card's code as it is printed; what has no suit stays as it is."""
    found = _CODE.fullmatch(card)
    return f"{_printed_rank(found[1])}{SUITS[found[2]]}{_STROKES[found[3]]}" if found else card


def _printed_rank(rank: str) -> str:
    return "10" if rank == "T" else rank


_STROKES = {"": "", "a": "", "b": "'"}


def shown_all(cards: Iterable[str]) -> str:
    """Cards in a row."""
    return " ".join(map(shown, cards))


def code(word: str) -> str:
    """The code of a printed card of which each pack has the same; what is no such card stays as it is."""
    found = _SHOWN.fullmatch(word)
    return f"{found[1]}{LETTERS[found[2]]}" if found and found[1] and not found[3] else word


def pack_code(word: str) -> str:
    """The code of a printed card that is of one pack, or of a joker; what is no such card stays as it is."""
    found = _SHOWN.fullmatch(word)
    if found is None or not found[1]:
        return word
    rank = "T" if found[1] == "10" else found[1]
    return f"{rank}{LETTERS[found[2]]}{'b' if found[3] else 'a'}"


def printed(word: str) -> str:
    """A word as it is printed: cards and named suits that were typed by their letters get their symbols."""
    return _TYPED.sub(lambda found: f"{_printed_rank(found[1] or '')}{SUITS[found[2] or found[3]]}", word)


def is_card(word: str) -> bool:
    """Whether this is a printed card, or a joker."""
    return _SHOWN.fullmatch(word) is not None


def seat_name(seat: int) -> str:
    """The letter of a seat."""
    return SEATS[seat]


def score_text(score: Iterable[int]) -> str:
    """A score as `12 x 9`."""
    return " x ".join(map(str, score))
