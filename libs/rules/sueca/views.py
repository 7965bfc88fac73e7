"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of one's own hand, of what was played, and of the trump card in the dealer's hand (S-02). A match ends with
the last card of a hand, so that there is nothing left to reveal.
"""

from __future__ import annotations

from functools import lru_cache

from libs.rules.sueca.cards import BITS
from libs.rules.sueca.events import HandDealt, SuecaEvent
from libs.rules.sueca.legal import legal_moves
from libs.rules.sueca.scoring import TRICKS
from libs.rules.sueca.state import SEATS, State, Trick, held_mask
from libs.rules.sueca.turns import Listed
from libs.rules.sueca.view import HandDealtSeen, HandView, PlayedCardView, SuecaSeen, SuecaView, TrickView

_KEPT = 4_096

_latest: tuple[State, SuecaView] | None = None


def view(game: object, state: State, seat: int | None) -> SuecaView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the first deal.

    A seat's view is the public one, with its own cards and moves in their place. The public one of the state that was
    looked at last is kept: every seat looks at a state in turn.
    """
    global _latest  # noqa: PLW0603 -- the same value whoever asks; read and written whole
    latest = _latest
    if latest is None or latest[0] is not state:
        latest = _latest = (state, _public_view(state))
    public = latest[1]
    return public if seat is None else _seats_view(public, seat, state, legal_moves(game, state, seat))


def _public_view(state: State) -> SuecaView:
    deal = state.deal
    if deal.hand == 0:
        raise ValueError("there is nothing to see before the first deal")
    is_trump_held = bool(state.unplayed & BITS[deal.trump_card])
    hands = [HandView(owner, held_mask(state, owner).bit_count()) for owner in range(SEATS)]
    if is_trump_held:
        hands[deal.dealer] = HandView(deal.dealer, hands[deal.dealer].count, (deal.trump_card,))
    return SuecaView(
        phase="play" if deal.winner is None else "over",
        score=deal.score,
        carry=deal.carry,
        hand=deal.hand,
        dealer=deal.dealer,
        trump_card=deal.trump_card,
        is_trump_held=is_trump_held,
        card_points=_card_points(state),
        trick=min(state.trick, TRICKS),
        tricks=_tricks(state),
        hands=tuple(hands),
        legal_moves=(),
        winner=deal.winner,
        seat=None,
    )


def _seats_view(public: SuecaView, seat: int, state: State, moves: tuple[Listed, ...]) -> SuecaView:
    unplayed = state.unplayed
    held = tuple([card for card in state.deal.cards[seat] if BITS[card] & unplayed])
    hands = list(public.hands)
    hands[seat] = HandView(seat, len(held), held)
    return SuecaView(
        public.phase,
        public.score,
        public.carry,
        public.hand,
        public.dealer,
        public.trump_card,
        public.is_trump_held,
        public.card_points,
        public.trick,
        public.tricks,
        tuple(hands),
        moves,
        public.winner,
        seat,
    )


def _card_points(state: State) -> tuple[int, int]:
    even = sum([trick.points for trick in state.tricks if trick.winner_seat % 2 == 0])
    return even, sum([trick.points for trick in state.tricks]) - even


def _tricks(state: State) -> tuple[TrickView, ...]:
    over = tuple(map(_trick_over, state.tricks))
    if state.trick > TRICKS:
        return over
    return (*over, TrickView(state.leader, _plays(state.leader, state.plays)))


@lru_cache(maxsize=_KEPT)
def _trick_over(trick: Trick) -> TrickView:
    """Kept, because every view of the hand shows it again."""
    return TrickView(trick.leader, _plays(trick.leader, trick.cards), trick.winner_seat, trick.points)


def _plays(leader: int, cards: tuple[str, ...]) -> tuple[PlayedCardView, ...]:
    return tuple([PlayedCardView((leader + place) % SEATS, card) for place, card in enumerate(cards)])


def observe(event: SuecaEvent) -> SuecaSeen:
    """What anyone is told of an event: all of it but the cards of a deal, of which the trump card alone is shown.

    It is the same for every viewer; what a deal gave to a seat stands in that seat's view.
    """
    if isinstance(event, HandDealt):
        return HandDealtSeen(event.hand, event.dealer, event.leader, event.trump_card)
    return event
