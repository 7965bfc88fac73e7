"""Plays a hand on with known cards, quickly: how a robot looks into the hands that the others may hold.

Cards are their strengths (1 to 10 by rank, 11 to 14 for manilhas, 0 for a covered one), hands ascending lists, a trick's plays
pairs of seat and strength. Everybody plays plainly: the cheapest card that wins, and the weakest where none does.
"""

from __future__ import annotations

from typing import NamedTuple

from libs.rules.truco.cards import FIRST_MANILHA_STRENGTH

_TRICKS = 3


class Position(NamedTuple):
    """A hand in the middle: everybody's cards, who plays next, this trick's plays, and the sides that won the others."""

    hands: list[list[int]]
    to_play: int
    plays: list[tuple[int, int]]
    leader: int
    won: tuple[int | None, ...]


def outcome(position: Position, card: int | None = None) -> int | None:
    """The side that wins the hand, None for nobody, if `card` is played now and all play on plainly."""
    hands = [hand[:] for hand in position.hands]
    players = len(hands)
    plays, seat, leader, won = position.plays[:], position.to_play, position.leader, position.won
    while True:
        hand = hands[seat]
        strength = _plain_card(hand, plays, seat, players, won) if card is None else card
        if strength in hand:
            hand.remove(strength)
        elif hand:
            # Played covered: the weakest goes.
            del hand[0]
        card = None
        plays.append((seat, strength))
        if len(plays) < players:
            seat = (seat + 1) % players
            continue
        winner = _winner(plays)
        won = (*won, None if winner is None else winner % 2)
        leader = leader if winner is None else winner
        is_decided, side = decided(won)
        if is_decided:
            return side
        plays, seat = [], leader


def decided(won: tuple[int | None, ...]) -> tuple[bool, int | None]:
    """Whether a hand is over after these tricks, and for whom (R-08)."""
    if len(won) < 2:
        return False, None
    first, second = won[0], won[1]
    if first is None:
        if second is not None:
            return True, second
        return (True, won[2]) if len(won) == _TRICKS else (False, None)
    if second is None or second == first:
        return True, first
    if len(won) < _TRICKS:
        return False, None
    return True, first if won[2] is None else won[2]


def _winner(plays: list[tuple[int, int]]) -> int | None:
    best, seat, is_tied = -1, 0, False
    for player, strength in plays:
        if strength > best:
            best, seat, is_tied = strength, player, False
        elif strength == best and (player - seat) % 2:
            is_tied = True
    return None if is_tied else seat


def _plain_card(
    hand: list[int], plays: list[tuple[int, int]], seat: int, players: int, won: tuple[int | None, ...]
) -> int:
    if not plays:
        if won:
            return hand[-1]
        plain = [strength for strength in hand if strength < FIRST_MANILHA_STRENGTH]
        return plain[-1] if plain else hand[0]
    best, holder, is_ours = -1, 0, False
    for player, strength in plays:
        if strength > best:
            best, holder = strength, player
            is_ours = not (player - seat) % 2
        elif strength == best and (player - holder) % 2:
            is_ours = False
    if is_ours and (len(plays) == players - 1 or best >= FIRST_MANILHA_STRENGTH):
        return hand[0]
    for strength in hand:
        if strength > best:
            return hand[0] if is_ours and strength >= FIRST_MANILHA_STRENGTH else strength
    # A tie gives the hand to whoever won the first trick.
    if best in hand and not is_ours and (not won or won[0] is None or won[0] == seat % 2):
        return best
    return hand[0]
