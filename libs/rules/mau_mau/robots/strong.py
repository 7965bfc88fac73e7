"""The stronger robot that a person may sit with: it plays the match on in its head, over hands that the others may hold.

Each of its moves is tried in the same positions, drawn from the cards that it does not see; the better half of them is tried
again, until one is left. What is worth little thought (one move, a win at hand, an accusation) gets none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.mau_mau.cards import PACK, RANK, SUIT, SUITS
from libs.rules.mau_mau.moves import Accuse, DrawCard, MauMauMove, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.robots.offered import offered, own_seat
from libs.rules.mau_mau.robots.playout import NUMBER, Position
from libs.rules.mau_mau.robots.simple import worth_of_plays
from libs.rules.mau_mau.view import MauMauView

Tried = list[tuple[MauMauMove, float]]
"""Moves with how good each has turned out."""

PLAYED_OUT = 400
"""Matches played on for a move, all its choices together."""
_MOST_DRAWN = 20
"""So much of the heap is put in order by chance: seldom more is drawn."""
_FIRST_THOUGHT = 0.3
"""How much of the simple robot's judgement is added. The search overrules it only where it sees a clear difference."""


def strong_move(view: MauMauView, chance: Chance) -> MauMauMove:
    """The best move by its estimate. Raises ValueError when there is nothing to do."""
    moves = offered(view)
    accusation = next((move for move in moves if isinstance(move, Accuse)), None)
    if accusation is not None:
        return accusation
    choices = _choices(view, moves)
    if len(choices) == 1:
        return choices[0]
    table = _Table(view, own_seat(view))
    rounds = (len(choices) - 1).bit_length()
    tried = list(zip(choices, _first_thoughts(view, choices), strict=True))
    for _ in range(rounds):
        worlds = max(1, PLAYED_OUT // (rounds * len(tried)))
        tried = table.better_half(tried, worlds, chance)
    return tried[0][0]


def _choices(view: MauMauView, moves: Sequence[MauMauMove]) -> Sequence[MauMauMove]:
    """The moves that are worth a thought: of a Jack the two suits that one holds most of; a draw only where one must."""
    hand = view.hands[own_seat(view)].cards
    if len(hand) == 1:
        last = [move for move in moves if isinstance(move, PlayCard)]
        if last:
            return last[:1]
    held = Counter(SUIT[card] for card in hand if RANK[card] != "J")
    best = sorted(SUITS, key=lambda suit: -held[suit])[:2]
    plays = [
        move for move in moves if isinstance(move, PlayCard) and (move.suit is None or move.suit in best)
    ]
    others = [move for move in moves if isinstance(move, TakePenalty | Pass)]
    if plays or others:
        return [*plays, *others]
    return [next(move for move in moves if isinstance(move, DrawCard))]


def _first_thoughts(view: MauMauView, choices: Sequence[MauMauMove]) -> list[float]:
    plays = [move for move in choices if isinstance(move, PlayCard)]
    worths = iter(worth_of_plays(view, plays))
    return [_FIRST_THOUGHT * next(worths) if isinstance(move, PlayCard) else -0.05 for move in choices]


class _Table:
    """What a view tells, as numbers."""

    def __init__(self, view: MauMauView, seat: int) -> None:
        self._view = view
        own = view.hands[seat].cards
        unseen = Counter(PACK)
        unseen.subtract([*own, view.top])
        self._unseen = [NUMBER[card] for card in unseen.elements()]
        self._own = [NUMBER[card] for card in own]
        self._counts = [0 if hand.seat == seat else hand.count for hand in view.hands]
        self._seat = seat

    def _drawn(self, chance: Chance) -> tuple[list[list[int]], list[int]]:
        """Hands that the others may hold, and the heap of all other cards; each as likely as any other."""
        heap, random = self._unseen[:], chance.random
        for left in range(len(heap), max(0, len(heap) - sum(self._counts) - _MOST_DRAWN), -1):
            place = int(random() * left)
            heap[place], heap[left - 1] = heap[left - 1], heap[place]
        hands = [[heap.pop() for _ in range(count)] for count in self._counts]
        hands[self._seat] = self._own
        return hands, heap

    def better_half(self, tried: Tried, worlds: int, chance: Chance) -> Tried:
        """The better half of these moves, tried in so many more positions, the same for each."""
        played = [0.0] * len(tried)
        for _ in range(worlds):
            hands, heap = self._drawn(chance)
            for place, (move, _) in enumerate(tried):
                position = self._position([hand[:] for hand in hands], heap[:])
                played[place] += _outcome(position, self._seat, move)
        worth = [(move, before + won / worlds) for (move, before), won in zip(tried, played, strict=True)]
        worth.sort(key=lambda one: one[1], reverse=True)
        return worth[: (len(worth) + 1) // 2]

    def _position(self, hands: list[list[int]], heap: list[int]) -> Position:
        """The position in which the seat is to play, with these cards."""
        view = self._view
        return Position(
            hands, heap, NUMBER[view.top], SUITS.index(view.suit), view.step, view.penalty, self._seat
        )


def _outcome(position: Position, seat: int, move: MauMauMove) -> float:
    """How well it ends for the seat that makes this move."""
    if isinstance(move, PlayCard):
        suit = None if move.suit is None else SUITS.index(move.suit)
        if position.lay(NUMBER[move.card], suit):
            return 1.0
    else:
        if isinstance(move, TakePenalty):
            position.draw(seat, position.penalty)
            position.penalty = 0
        position.go_on()
    return position.play_out(seat)
