"""How one plays one's own cards soundly: what the simple robot does, and what the strong one takes the others to do."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.sueca.robots.reading import SUITS, WORTH

_SEVEN = 8
"""The strength of a seven: what lies under it is likely to be beaten."""
_WORTH_A_TRUMP = 4
"""From so many points on a trick is worth a trump that is not the last card."""


def sensible_card(hand: int, others: int, plays: Sequence[int], trump: int) -> int:
    """The card to play from a hand; `others` are the unplayed cards that the others hold, as masks.

    It leads cards that nobody can beat, gives points to a trick that its partner holds, takes with the cheapest trump
    that is enough, and throws away the cheapest card where it cannot win.
    """
    if not plays:
        return _lead(hand, others, trump)
    best, place = plays[0], 0
    for number in range(1, len(plays)):
        card = plays[number]
        if card > best if card // 10 == best // 10 else card // 10 == trump:
            best, place = card, number
    is_last = len(plays) == 3
    is_partners = place == len(plays) - 2
    best_suit = SUITS[best // 10]
    is_safe = is_last or (
        not others >> best + 1 & best_suit >> best + 1 and (best // 10 == trump or not others & SUITS[trump])
    )
    following = hand & SUITS[plays[0] // 10]
    if following:
        if following & (following - 1) == 0:
            return following.bit_length() - 1
        return _follow(following, others, best, is_last, is_partners and (is_safe or best % 10 >= _SEVEN))
    side_suits = hand & ~SUITS[trump]
    if is_partners and (is_safe or best // 10 == trump or best % 10 >= _SEVEN):
        return _dearest(side_suits) if side_suits else _lowest(hand)
    trumps = hand & SUITS[trump]
    enough = trumps >> best + 1 << best + 1 if best // 10 == trump else trumps
    if enough and (
        not side_suits or sum([WORTH[card] for card in plays]) >= (1 if is_last else _WORTH_A_TRUMP)
    ):
        return _lowest(enough)
    return _cheapest(side_suits) if side_suits else _lowest(hand)


def _lead(hand: int, others: int, trump: int) -> int:
    """A side suit's highest card if nobody can beat it, else the cheapest of the longest side suit, else a low trump."""
    chosen, worth = -1, -1
    for suit in range(4):
        held = hand & SUITS[suit]
        if not held or suit == trump:
            continue
        top = held.bit_length() - 1
        against = others & SUITS[suit]
        if against < 1 << top:
            # With few cards left against it somebody is likely to trump it.
            value = WORTH[top] if against.bit_count() >= 3 or not others & SUITS[trump] else 0
            if value > worth:
                chosen, worth = top, value
    if worth > 0:
        return chosen
    side_suits = hand & ~SUITS[trump]
    if not side_suits:
        top = hand.bit_length() - 1
        return top if others & SUITS[trump] < 1 << top else _lowest(hand)
    return _cheapest(side_suits)


def _follow(following: int, others: int, best: int, is_last: bool, gives: bool) -> int:
    """A card of the suit that was led: the dearest for one's partner, or to win; else the lowest."""
    top = following.bit_length() - 1
    if gives:
        return top
    if top // 10 == best // 10 and top > best:
        against = others & SUITS[top // 10]
        if is_last or against < 1 << top:
            return top
    return _lowest(following)


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def _cheapest(cards: int) -> int:
    """The weakest card of several suits; of equally weak ones that of the shortest suit."""
    found, least = -1, 1_000
    for suit in SUITS:
        held = cards & suit
        if held:
            low = (held & -held).bit_length() - 1
            cost = low % 10 * 16 + held.bit_count()
            if cost < least:
                found, least = low, cost
    return found


def _dearest(cards: int) -> int:
    """The card with the most points; of several suits the one that is held least."""
    found, most = -1, -100
    for suit in SUITS:
        held = cards & suit
        if held:
            top = held.bit_length() - 1
            value = WORTH[top] * 16 - held.bit_count()
            if value > most:
                found, most = top, value
    return found
