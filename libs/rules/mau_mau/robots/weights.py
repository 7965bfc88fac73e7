"""What the strong robot's judgement weighs, as numbers that millions of matches have settled.

They were found by playing: a robot that drew its moves by chance, the likelier the better it judged them, against halves of
greedy and of simple robots with four to eight seats, and each number moved towards what had won (the policy gradient of
Williams's REINFORCE). Their differences alone mean something. Ranks without an effect stand under "".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

ByRank = Mapping[str, Sequence[float]]

LEFT: ByRank = {
    "A": (7.87, 1.39, 0.36, 1.84, 1.27, -1.31),
    "7": (0.29, 0.05, 0.45, 0.24, 0.92, 2.03),
    "9": (-0.09, 1.00, 1.81, 1.17, 1.07, 0.75),
    "Q": (0.35, 1.27, 1.35, 0.46, -0.08, 1.55),
    "J": (-6.74, -8.17, -8.15, -8.69, -7.99, -7.70),
    "": (3.13, 2.12, 2.81, 2.07, 1.16, 0.49),
}
"""A card by its rank, and by how many are left after it: 1, 2 … 6 or more."""

NEXT: ByRank = {
    "A": (3.62, 3.99, 2.22, 0.94, 0.78),
    "7": (8.72, 4.98, 0.30, -0.98, -1.93),
    "9": (0.27, -0.34, 0.67, 1.66, 2.62),
    "Q": (5.70, 4.00, 1.35, 0.89, -1.28),
    "J": (1.71, -0.52, -1.30, -3.03, -4.38),
    "": (-0.16, 0.32, 1.98, 2.66, 4.23),
}
"""A card by its rank, and by how many cards the next seat holds: 1, 2 … 5 or more."""

OTHER: ByRank = {
    "9": (8.07, 5.20, 1.42, -0.76, -0.88),
    "Q": (-1.34, -1.69, -0.09, 1.01, 2.73),
    "A": (1.60, 2.16, 1.74, 1.03, 0.97),
}
"""So, for the seat that a nine makes draw, that a Queen brings to play, that an Ace brings to play."""

NEAREST: ByRank = {
    "A": (0.86, 2.53),
    "7": (6.06, 2.05),
    "9": (3.67, 1.50),
    "Q": (1.53, 1.06),
    "J": (0.95, 0.26),
    "": (-1.12, 0.99),
}
"""A card by its rank, where some other seat has one card left, or two."""

JACKS_LEFT: Mapping[int, Sequence[float]] = {
    0: (-0.90, -2.35, -3.30, -4.54, -3.27, -1.99),
    1: (1.61, 0.18, 2.56, 2.04, 0.95, -0.71),
    2: (0.00, 1.62, 5.34, 4.68, 3.62, 2.28),
}
"""A Jack by how many Jacks are left (2: or more), and by how many cards."""

FOLLOWING: Sequence[float] = (3.28, 3.09, 3.62, 4.89, 3.43, 3.74)
"""The share of the other cards left, Jacks apart, that could be played next; by how many are left."""

ANY_FOLLOWS: Sequence[float] = (4.33, 2.55, 1.96, 1.76, 0.78, 1.12)
"""That one of them could, Jacks too."""

IN_SUIT: Sequence[float] = (1.28, 3.22, 2.19, 2.18, 0.80, 0.48)
"""The share of them that is of the suit that will count."""

SUITS_LEFT: Sequence[float] = (0.60, 1.34, 1.10, 1.32, 0.71, 0.58)
"""Each suit among them."""

LINKS: Sequence[float] = (0.00, -1.38, -2.26, -4.19, -2.81, -1.74)
"""The pairs of them that could follow one another, by card."""

DRAW: Sequence[float] = (-2.00, -8.88, -8.95, -5.26, -4.34, -4.45)
"""Drawing instead of playing a Jack, where nothing else can be played; by how many cards are held."""

PASS: Sequence[float] = (-2.00, -3.74, 2.72, 0.35, 1.56, 0.57)
"""Passing after a draw instead of playing a Jack."""

IN_SUIT_EACH = 0.63
"""Each card left of the suit that will count."""

SEVENS_LEFT = -0.84
"""Each seven that is left after a seven."""

NEAR_FOLLOWING = 2.94
"""More for the share that could be played next, where some other seat has one or two cards left."""

LAST_JACK = 9.00
"""A Jack as the last card left."""

LAST_SEVEN = 1.84
"""A seven as the last card left."""

LAST_BY_RANK = 0.11
"""A last card left that follows by its rank."""

TWO_LINKED = 1.26
"""Two cards left that can follow one another."""

TWO_FOLLOW = 0.64
"""Two cards left that could both be played next."""

TWO_GO_OUT = 1.32
"""Two cards left that can follow one another, and one that can be played next."""
