"""The stronger robot that a person may sit with: it weighs what each card leaves it with, and whom it hurts.

It knows no more than `simple`, but judges finer: by numbers that were learned over millions of matches (see `weights`).
Where a Jack alone could be played it may draw instead and keep it, for a Jack ends nearly every hand. Playing the match on
in its head, over hands that the others may hold, was weaker than this judgement: what moves differ in is less than the
noise of as many matches as there is time for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from libs.rules.chance import Chance
from libs.rules.mau_mau.cards import FOLLOWS, RANK, SUIT
from libs.rules.mau_mau.moves import Accuse, DrawCard, MauMauMove, Pass, PlayCard
from libs.rules.mau_mau.robots import weights as w
from libs.rules.mau_mau.robots.offered import offered, own_seat
from libs.rules.mau_mau.view import MauMauView


def strong_move(view: MauMauView, chance: Chance) -> MauMauMove:  # noqa: ARG001 -- every robot is asked alike
    """The move that it judges best. Raises ValueError when there is nothing to do."""
    moves = offered(view)
    accusation = next((move for move in moves if isinstance(move, Accuse)), None)
    if accusation is not None:
        return accusation
    hand = view.hands[own_seat(view)].cards
    plays = [move for move in moves if isinstance(move, PlayCard)]
    if plays and len(hand) == 1:
        return plays[0]
    others = [move for move in moves if not isinstance(move, PlayCard)]
    # After a draw the pass alone is left, before it the draw comes first; a penalty is taken by who cannot answer it.
    other = next((move for move in others if isinstance(move, DrawCard)), others[0] if others else None)
    if not plays:
        assert other is not None, "a seat that can play nothing has another move"
        return other
    judge = _Judge(view)
    judged = [(judge.worth(move), move) for move in plays]
    best, move = max(judged, key=lambda one: one[0])
    if other is not None and not view.penalty and all(RANK[play.card] == "J" for play in plays):
        held = min(len(hand), 6) - 1
        kept = w.PASS[held] if isinstance(other, Pass) else w.DRAW[held]
        return other if kept > best else move
    return move


class _Judge:
    """What a view tells of the seats, to weigh this seat's plays with."""

    def __init__(self, view: MauMauView) -> None:
        seat, counts = own_seat(view), [hand.count for hand in view.hands]
        self._hand = view.hands[seat].cards
        ahead, players = view.step, len(counts)
        self._following = _place(counts[(seat + ahead) % players], 5)
        before = _place(counts[(seat - ahead) % players], 5)
        after_next = _place(counts[(seat + 2 * ahead) % players], 5)
        self._other = {"9": before, "Q": before, "A": after_next}
        self._nearest = min(count for other, count in enumerate(counts) if other != seat)

    def worth(self, play: PlayCard) -> float:
        """How good a play is, of a hand of two cards or more; only the differences mean something."""
        card, suit = play.card, play.suit or SUIT[play.card]
        rank = _kind(card)
        rest = list(self._hand)
        rest.remove(card)
        left = _place(len(rest), 6)
        worth = w.LEFT[rank][left] + w.NEXT[rank][self._following]
        if rank in self._other:
            worth += w.OTHER[rank][self._other[rank]]
        if self._nearest <= 2:
            worth += w.NEAREST[rank][self._nearest - 1]
        if rank == "J":
            jacks = sum(RANK[other] == "J" for other in rest)
            worth += w.JACKS_LEFT[min(jacks, 2)][left]
        elif rank == "7":
            worth += w.SEVENS_LEFT * sum(RANK[other] == "7" for other in rest)
        return worth + self._going_on(card, suit, rest, left)

    def _going_on(self, card: str, suit: str, rest: Sequence[str], left: int) -> float:
        """How well the cards that are left go on after this one."""
        follows = FOLLOWS[suit][card]
        plain = [other for other in rest if RANK[other] != "J"]
        following = sum(other in follows for other in plain) / len(rest)
        any_follows = any(other in follows for other in rest)
        in_suit = sum(SUIT[other] == suit for other in plain)
        links = sum(_linked(one, other) for one, other in combinations(plain, 2))
        worth = (
            w.FOLLOWING[left] * following
            + w.ANY_FOLLOWS[left] * any_follows
            + w.IN_SUIT[left] * in_suit / len(rest)
            + w.IN_SUIT_EACH * in_suit
            + w.SUITS_LEFT[left] * len({SUIT[other] for other in plain})
            + w.LINKS[left] * links / len(rest)
        )
        if self._nearest <= 2:
            worth += w.NEAR_FOLLOWING * following
        if len(rest) == 1:
            worth += _last(rest[0], follows, suit)
        elif len(rest) == 2:
            is_linked = len(plain) < 2 or links > 0
            worth += w.TWO_LINKED * is_linked + w.TWO_GO_OUT * (is_linked and any_follows)
            worth += w.TWO_FOLLOW * all(other in follows for other in rest)
        return worth


def _last(card: str, follows: frozenset[str], suit: str) -> float:
    """How good a card is to be left with alone."""
    if RANK[card] == "J":
        return w.LAST_JACK
    by_rank = w.LAST_BY_RANK if card in follows and SUIT[card] != suit else 0.0
    return by_rank + (w.LAST_SEVEN if RANK[card] == "7" else 0.0)


def _kind(card: str) -> str:
    """The rank of a card that does something, else ""."""
    rank = RANK[card]
    return rank if rank in w.LEFT else ""


def _linked(one: str, other: str) -> bool:
    return SUIT[one] == SUIT[other] or RANK[one] == RANK[other]


def _place(count: int, most: int) -> int:
    """Where a count from 1 on stands in a table that ends with so many or more."""
    return min(count, most) - 1
