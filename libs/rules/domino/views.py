"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Faces are shown of the tiles that lie, of one's own hand, and of everything once the match is over. Who passed, and at which
ends, everybody knows; of a round that is over, what each hand counted.
"""

from __future__ import annotations

from libs.rules.domino.events import DominoEvent, RoundDealt
from libs.rules.domino.legal import legal_moves
from libs.rules.domino.state import SEATS, State, held_mask, held_tiles
from libs.rules.domino.view import DominoSeen, DominoView, HandView, RoundDealtSeen


def view(state: State, seat: int | None) -> DominoView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the first deal."""
    deal = state.deal
    if deal.round == 0:
        raise ValueError("there is nothing to see before the first deal")
    is_over = state.winner is not None
    hands = tuple(
        [
            HandView(
                owner,
                held_mask(state, owner).bit_count(),
                held_tiles(state, owner) if is_over or owner == seat else (),
            )
            for owner in range(SEATS)
        ]
    )
    return DominoView(
        phase="over" if is_over else "play",
        score=state.score,
        round=deal.round,
        starter=deal.starter,
        opening=deal.opening,
        turn=state.turn,
        to_play=state.to_play,
        ends=state.ends,
        plays=state.plays,
        passes=state.passes,
        hands=hands,
        legal_moves=() if seat is None else legal_moves(state, seat),
        winner=state.winner,
        seat=seat,
    )


def observe(event: DominoEvent) -> DominoSeen:
    """What anyone is told of an event: all of it but the tiles of a deal. It is the same for every viewer; what a deal gave
    to a seat stands in that seat's view.
    """
    if isinstance(event, RoundDealt):
        return RoundDealtSeen(event.round, event.starter, event.opening)
    return event
