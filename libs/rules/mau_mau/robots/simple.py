"""The robot that a person may sit with first: it plays its own cards soundly and looks at how many the others hold."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.mau_mau.cards import FOLLOWS, RANK, SUIT
from libs.rules.mau_mau.moves import Accuse, DrawCard, MauMauMove, PlayCard
from libs.rules.mau_mau.robots.offered import offered, own_seat
from libs.rules.mau_mau.view import MauMauView

_JACK = 3.0
"""What a Jack is worth in the hand: it goes on nearly everything."""
_SEVEN = 0.6
"""What a seven is worth in the hand: the answer to another one."""
_NEAR_WIN = {1: 3.0, 2: 1.5, 3: 0.7}
"""How much it matters to hinder a seat, by its cards."""


def simple_move(view: MauMauView, chance: Chance) -> MauMauMove:
    """The card that leaves the hand most to go on with and hinders who is near the end; accuses whom it may. Raises
    ValueError when there is nothing to do.
    """
    moves = offered(view)
    accusation = next((move for move in moves if isinstance(move, Accuse)), None)
    if accusation is not None:
        return accusation
    plays = [move for move in moves if isinstance(move, PlayCard)]
    if plays:
        worths = worth_of_plays(view, plays)
        best = max(worths)
        equal = [move for move, worth in zip(plays, worths, strict=True) if worth == best]
        return equal[chance.randrange(len(equal))]
    return next((move for move in moves if isinstance(move, DrawCard)), moves[0])


def worth_of_plays(view: MauMauView, plays: Sequence[PlayCard]) -> list[float]:
    """How good each of these plays is at first thought; more is better, and only the differences mean something."""
    seat = own_seat(view)
    hand = view.hands[seat].cards
    counts = [held.count for held in view.hands]
    return [_worth(view, seat, hand, counts, play) for play in plays]


def _worth(view: MauMauView, seat: int, hand: Sequence[str], counts: Sequence[int], play: PlayCard) -> float:
    card, players = play.card, len(counts)
    rest = list(hand)
    rest.remove(card)
    if not rest:
        return 100.0
    suit = play.suit or SUIT[card]
    follows = FOLLOWS[suit][card]
    rank = RANK[card]
    worth = sum(other in follows for other in rest) / len(rest)
    if rank == "J":
        worth -= _JACK
    following = (seat + view.step) % players
    threat = _NEAR_WIN.get(counts[following], 0.2)
    match rank:
        case "7":
            worth += threat * (2 + view.penalty) / 2 - _SEVEN
        case "A":
            worth += threat * 0.8
        case "9":
            worth += 0.5 * _NEAR_WIN.get(counts[(seat - view.step) % players], 0.4)
        case "Q":
            worth += threat - _NEAR_WIN.get(counts[(seat - view.step) % players], 0.2)
    return worth
