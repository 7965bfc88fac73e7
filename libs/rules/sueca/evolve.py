"""The state after an event: bookkeeping alone. Who is next, who wins and who scores stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.sueca.cards import ALL_CARDS, BITS, mask_of
from libs.rules.sueca.events import CardPlayed, HandDealt, HandEnded, MatchEnded, SuecaEvent, TrickEnded
from libs.rules.sueca.state import Deal, State, Trick


def evolve(state: State, event: SuecaEvent) -> State:
    """The state after an event."""
    # Spelt out, for these two are most of a match: `replace` takes twice as long.
    match event:
        case CardPlayed():
            return State(
                state.rules,
                state.score,
                state.carry,
                None,
                state.deal,
                state.trick,
                state.unplayed ^ BITS[event.card],
                state.leader,
                (*state.plays, event.card),
                event.next_seat,
                state.tricks,
            )
        case TrickEnded():
            winner = event.winner_seat
            return State(
                state.rules,
                state.score,
                state.carry,
                None,
                state.deal,
                event.trick + 1,
                state.unplayed,
                winner,
                (),
                winner,
                (*state.tricks, Trick(state.leader, state.plays, winner, event.points)),
            )
        case HandEnded():
            return replace(state, score=event.score, carry=event.carry, to_play=None)
        case HandDealt():
            masks = tuple([mask_of(cards) for cards in event.cards])
            deal = Deal(event.hand, event.dealer, event.trump_card, event.cards, masks)
            return State(
                rules=state.rules,
                score=state.score,
                carry=state.carry,
                deal=deal,
                unplayed=ALL_CARDS,
                leader=event.leader,
                to_play=event.leader,
            )
        case MatchEnded():
            return replace(state, winner=event.winner_side, score=event.score, to_play=None)
        case _:
            assert_never(event)
