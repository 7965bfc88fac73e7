"""A view of Sueca in numbers, as the robots reckon with it: card n is bit n, n // 10 its suit and n % 10 its strength.

Within a suit more strength is never fewer points, so that the lowest bit of a suit is its cheapest card.
"""

from __future__ import annotations

import msgspec

from libs.rules.sueca.cards import BITS, PACK, POINTS
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.state import SEATS
from libs.rules.sueca.view import SuecaView

WORTH: tuple[int, ...] = tuple(POINTS[card] for card in PACK)
"""The points of each card by number."""

SUITS: tuple[int, ...] = tuple(0x3FF << 10 * suit for suit in range(4))
"""The cards of each suit as a mask."""


class Reading(msgspec.Struct, frozen=True, gc=False):
    """What a seat knows: its own cards, the cards of the running trick from its leader on, all cards that it has not seen,
    and by seat how many cards are held, which are known, and which suits cannot be held (as masks).

    `points` and `tricks` are what each side has won in this hand.
    """

    seat: int
    hand: int
    leader: int
    plays: tuple[int, ...]
    trump: int
    unseen: int
    counts: tuple[int, ...]
    known: tuple[int, ...]
    void: tuple[int, ...]
    points: tuple[int, int]
    tricks: tuple[int, int]


def number_of(card: str) -> int:
    """The number of a card."""
    return BITS[card].bit_length() - 1


def read(view: SuecaView) -> Reading:
    """The view in numbers; raises ValueError when its seat has nothing to do."""
    if view.seat is None or not view.legal_moves:
        raise ValueError("this seat has nothing to do")
    void, played, tricks = [0] * SEATS, 0, [0, 0]
    for trick in view.tricks:
        led = 0
        for play in trick.cards:
            number = number_of(play.card)
            played |= 1 << number
            led = led or SUITS[number // 10]
            if not led >> number & 1:
                void[play.seat] |= led
        if trick.winner_seat is not None:
            tricks[trick.winner_seat % 2] += 1
    known = tuple([sum([BITS[card] for card in hand.cards]) for hand in view.hands])
    running = view.tricks[-1]
    seen = played
    for mask in known:
        seen |= mask
    return Reading(
        seat=view.seat,
        hand=known[view.seat],
        leader=running.leader,
        plays=tuple([number_of(play.card) for play in running.cards]),
        trump=number_of(view.trump_card) // 10,
        unseen=((1 << len(PACK)) - 1) & ~seen,
        counts=tuple([hand.count for hand in view.hands]),
        known=known,
        void=tuple(void),
        points=view.card_points,
        tricks=(tricks[0], tricks[1]),
    )


def move_of(view: SuecaView, number: int) -> SuecaMove:
    """The legal move that plays this card; raises StopIteration for a card that may not be played."""
    return next(legal.move for legal in view.legal_moves if legal.move.card == PACK[number])


def allowed(hand: int, plays: tuple[int, ...] | list[int]) -> int:
    """The cards of a hand that may be played to a trick, as a mask."""
    return hand & SUITS[plays[0] // 10] or hand if plays else hand


def winning_place(plays: tuple[int, ...] | list[int], trump: int) -> int:
    """Which of the cards, at least one, takes the trick."""
    best, winner = plays[0], 0
    for place in range(1, len(plays)):
        card = plays[place]
        if card // 10 == best // 10:
            if card > best:
                best, winner = card, place
        elif card // 10 == trump:
            best, winner = card, place
    return winner
