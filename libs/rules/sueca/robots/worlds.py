"""The hands that the others may hold: drawn from the cards that a seat has not seen, true to the suits that they lack."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.sueca.robots.reading import Reading

_TRIES = 8


def draw(reading: Reading, chance: Chance, count: int) -> Sequence[list[int]]:
    """So many deals of all hands, as masks by seat."""
    cards = [card for card in range(40) if reading.unseen >> card & 1]
    may_hold = {
        card: [
            seat
            for seat in range(4)
            if seat != reading.seat and not reading.void[seat] >> card & 1 and _needs(reading, seat)
        ]
        for card in cards
    }
    return [_one(reading, chance, cards, may_hold) for _ in range(count)]


def _needs(reading: Reading, seat: int) -> int:
    return reading.counts[seat] - reading.known[seat].bit_count()


def _one(reading: Reading, chance: Chance, cards: list[int], may_hold: dict[int, list[int]]) -> list[int]:
    """A deal; where chance has dealt itself into a corner it is tried again, at last without the suits that are lacked."""
    for attempt in range(_TRIES):
        hands = list(reading.known)
        needs = [_needs(reading, seat) for seat in range(4)]
        is_free = attempt == _TRIES - 1
        order = cards[:]
        for place in range(len(order) - 1, 0, -1):
            other = chance.randrange(place + 1)
            order[place], order[other] = order[other], order[place]
        # Cards that few may hold go first.
        order.sort(key=lambda card: len(may_hold[card]))
        for card in order:
            seats = [0, 1, 2, 3] if is_free else may_hold[card]
            total = sum([needs[seat] for seat in seats])
            if not total:
                break
            pick = chance.randrange(total)
            for seat in seats:
                pick -= needs[seat]
                if pick < 0:
                    hands[seat] |= 1 << card
                    needs[seat] -= 1
                    break
        if not any(needs):
            return hands
    raise AssertionError("every card has an owner")
