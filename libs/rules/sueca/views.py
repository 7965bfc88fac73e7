"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of one's own hand, of what was played, and of the trump card in the dealer's hand (S-02). A match ends with
the last card of a hand, so that there is nothing left to reveal.
"""

from __future__ import annotations

from libs.rules.sueca.cards import BITS
from libs.rules.sueca.events import HandDealt, SuecaEvent
from libs.rules.sueca.legal import legal_moves
from libs.rules.sueca.scoring import TRICKS
from libs.rules.sueca.state import SEATS, State
from libs.rules.sueca.view import HandDealtSeen, HandView, PlayedCardView, SuecaSeen, SuecaView, TrickView


def view(state: State, seat: int | None) -> SuecaView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the first deal."""
    deal = state.deal
    if deal.hand == 0:
        raise ValueError("there is nothing to see before the first deal")
    return SuecaView(
        phase="play" if state.winner is None else "over",
        score=state.score,
        carry=state.carry,
        hand=deal.hand,
        dealer=deal.dealer,
        trump_card=deal.trump_card,
        is_trump_held=bool(state.unplayed & BITS[deal.trump_card]),
        card_points=_card_points(state),
        trick=min(state.trick, TRICKS),
        tricks=_tricks(state),
        hands=tuple([_hand(state, owner, seat) for owner in range(SEATS)]),
        legal_moves=() if seat is None else legal_moves(state, seat),
        winner=state.winner,
        seat=seat,
    )


def _card_points(state: State) -> tuple[int, int]:
    even = sum([trick.points for trick in state.tricks if trick.winner_seat % 2 == 0])
    return even, sum([trick.points for trick in state.tricks]) - even


def _tricks(state: State) -> tuple[TrickView, ...]:
    over = [
        TrickView(trick.leader, _plays(trick.leader, trick.cards), trick.winner_seat, trick.points)
        for trick in state.tricks
    ]
    if state.trick <= TRICKS:
        over.append(TrickView(state.leader, _plays(state.leader, state.plays)))
    return tuple(over)


def _plays(leader: int, cards: tuple[str, ...]) -> tuple[PlayedCardView, ...]:
    return tuple([PlayedCardView((leader + place) % SEATS, card) for place, card in enumerate(cards)])


def _hand(state: State, owner: int, viewer: int | None) -> HandView:
    deal, unplayed = state.deal, state.unplayed
    count = (deal.masks[owner] & unplayed).bit_count()
    if owner == viewer:
        return HandView(owner, count, tuple([card for card in deal.cards[owner] if BITS[card] & unplayed]))
    if owner == deal.dealer and unplayed & BITS[deal.trump_card]:
        return HandView(owner, count, (deal.trump_card,))
    return HandView(owner, count)


def observe(event: SuecaEvent) -> SuecaSeen:
    """What anyone is told of an event: all of it but the cards of a deal, of which the trump card alone is shown.

    It is the same for every viewer; what a deal gave to a seat stands in that seat's view.
    """
    if isinstance(event, HandDealt):
        return HandDealtSeen(event.hand, event.dealer, event.leader, event.trump_card)
    return event
