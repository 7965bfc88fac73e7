"""The hands that the others may hold: drawn from the tiles that a seat has not seen, true to every pass.

Who passed holds none of the numbers that were open then. Tiles that few may hold are dealt first; where that leads nowhere,
the next draw begins anew, and the last one looks for any deal that there is.
"""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.domino.robots.offered import own_seat
from libs.rules.domino.robots.playout import PLACES, mask_of
from libs.rules.domino.robots.simple import lacking_numbers
from libs.rules.domino.tiles import HALVES, NAMES
from libs.rules.domino.view import DominoView

_TRIES = 12


class Worlds:
    """Draws hands that are possible for all that one view tells."""

    def __init__(self, view: DominoView) -> None:
        """The view must be a seat's."""
        seat = own_seat(view)
        lacking = lacking_numbers(view)
        lying = {play.tile for play in view.plays}
        own = view.hands[seat].tiles
        self._own = mask_of(own)
        self._seat = seat
        self._counts = [hand.count for hand in view.hands]
        self._counts[seat] = 0
        hidden = [tile for tile in NAMES if tile not in lying and tile not in own]
        self._holders = sorted(
            (
                (
                    1 << PLACES[tile],
                    tuple(
                        other
                        for other in range(4)
                        if self._counts[other] and lacking[other].isdisjoint(HALVES[tile])
                    ),
                )
                for tile in hidden
            ),
            key=lambda one: len(one[1]),
        )

    def draw(self, chance: Chance) -> Sequence[int]:
        """The four hands as masks of `playout`, one's own as it is."""
        for _ in range(_TRIES):
            hands = self._attempt(chance)
            if hands is not None:
                return hands
        hands = [0] * 4
        hands[self._seat] = self._own
        assert self._search(0, hands, self._counts[:]), "the true deal is possible"
        return hands

    def _attempt(self, chance: Chance) -> Sequence[int] | None:
        left = self._counts[:]
        hands = [0] * 4
        hands[self._seat] = self._own
        for bit, holders in self._holders:
            room = 0
            for other in holders:
                room += left[other]
            if not room:
                return None
            draw = int(chance.random() * room)
            for other in holders:
                draw -= left[other]
                if draw < 0:
                    hands[other] |= bit
                    left[other] -= 1
                    break
        return hands

    def _search(self, place: int, hands: list[int], left: list[int]) -> bool:
        """Deals the tiles from this place on, in the first way that there is."""
        if place == len(self._holders):
            return True
        bit, holders = self._holders[place]
        for other in sorted(holders, key=lambda one: -left[one]):
            if left[other]:
                hands[other] |= bit
                left[other] -= 1
                if self._search(place + 1, hands, left):
                    return True
                hands[other] ^= bit
                left[other] += 1
        return False
