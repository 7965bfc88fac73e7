"""The chance of a match that is read: each draw gives what stands in the text.

So the rules deal the written cards, as they dealt those of the match's secret, and every event follows from them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from libs.rules.notation.cards import shown
from libs.rules.notation.words import Word
from libs.rules.shuffle import Draws

T = TypeVar("T")


class MissingDrawError(LookupError):
    """The rules draw what the text does not have; `label` is the draw's."""

    def __init__(self, label: str) -> None:
        self.label = label
        super().__init__(label)


class RecordedDraws(Draws):
    """Draws by their labels, as a text has them."""

    def __init__(self) -> None:
        super().__init__(b"", "")
        self._orders: dict[str, Sequence[Word]] = {}
        self._numbers: dict[str, tuple[int, Word]] = {}

    def write_order(self, label: str, cards: Sequence[Word], here: Word) -> None:
        """What was shuffled under a label, from the first card on, as far as the text tells it; `here` it says so.

        Raises NotationError for what has been written before.
        """
        if label in self._orders:
            raise here.wrong(f"another number: {label} has been written")
        self._orders[label] = cards

    def write_number(self, label: str, number: int, word: Word) -> None:
        """What was drawn under a label, and the word that says so."""
        self._numbers[label] = number, word

    def below(self, label: str, bound: int) -> int:
        """The written number; raises MissingDrawError, and NotationError for one out of bounds."""
        if label not in self._numbers:
            raise MissingDrawError(label)
        number, word = self._numbers[label]
        if not 0 <= number < bound:
            raise word.wrong(f"one of {bound}")
        return number

    def shuffled(self, label: str, items: Sequence[T]) -> list[T]:
        """The written items, and then those that no one gets to see, in the order given.

        Raises MissingDrawError, and NotationError for an item that is not, or no longer, there to be dealt.
        """
        if label not in self._orders:
            raise MissingDrawError(label)
        left, order = list(items), []
        names = [shown(str(item)) for item in items]
        for word in self._orders[label]:
            if word.text not in names:
                raise word.wrong("what is still left to be dealt")
            place = names.index(word.text)
            del names[place]
            order.append(left.pop(place))
        return order + left
