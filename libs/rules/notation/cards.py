"""Cards, suits and seats as a notation prints them: `7♣` for `7P`, `a` for seat 0.

>>> shown("10C"), shown("7Eb"), shown("JKa"), shown("3-5")
('10♥', '7♠b', 'JKa', '3-5')
>>> code("10♥"), code("7♠b"), code("JKa"), printed("(7P)"), printed("JP=C"), printed("truco")
('10C', '7Eb', 'JKa', '(7♣)', 'J♣=♥', 'truco')
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SEATS = "abcdefgh"
"""The seats in the order of play, from seat 0 on; small letters, since ranks and suits are never small."""

SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}
LETTERS = {symbol: letter for letter, symbol in SUITS.items()}

_RANK = "(10|[2-9ATJQK])"
_PACK = "([ab]?)"
_CODE = re.compile(rf"{_RANK}([PCEO]){_PACK}")
_TYPED = re.compile(rf"(?<!\w){_RANK}([PCEO]){_PACK}(?!\w)|(?<==)([PCEO])(?!\w)")
_SHOWN = re.compile(rf"{_RANK}([♣♥♠♦]){_PACK}")


def shown(card: str) -> str:
    """A card's code as it is printed; what has no suit stays as it is."""
    found = _CODE.fullmatch(card)
    return f"{found[1]}{SUITS[found[2]]}{found[3]}" if found else card


def shown_all(cards: Iterable[str]) -> str:
    """Cards in a row."""
    return " ".join(map(shown, cards))


def code(word: str) -> str:
    """The code of a printed card; what has no suit stays as it is."""
    found = _SHOWN.fullmatch(word)
    return f"{found[1]}{LETTERS[found[2]]}{found[3]}" if found else word


def printed(word: str) -> str:
    """A word as it is printed: cards and named suits that were typed by their letters get their symbols."""
    return _TYPED.sub(lambda found: f"{found[1] or ''}{SUITS[found[2] or found[4]]}{found[3] or ''}", word)


def is_card(word: str) -> bool:
    """Whether this is a printed card with a suit."""
    return _SHOWN.fullmatch(word) is not None


def seat_name(seat: int) -> str:
    """The letter of a seat."""
    return SEATS[seat]


def score_text(score: Iterable[int]) -> str:
    """A score as `12 x 9`."""
    return " x ".join(map(str, score))
