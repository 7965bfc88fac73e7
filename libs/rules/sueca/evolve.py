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
            card = event.card
            return State(
                state.deal,
                state.trick,
                state.unplayed ^ BITS[card],
                state.leader,
                (*state.plays, card),
                event.next_seat,
                state.tricks,
            )
        case TrickEnded():
            winner = event.winner_seat
            trick = Trick(state.leader, state.plays, winner, event.points)
            return State(
                state.deal, event.trick + 1, state.unplayed, winner, (), winner, (*state.tricks, trick)
            )
        case HandEnded():
            deal = replace(state.deal, score=event.score, carry=event.carry)
            return replace(state, deal=deal, to_play=None)
        case HandDealt():
            return State(_dealt(state.deal, event), 1, ALL_CARDS, event.leader, (), event.leader, ())
        case MatchEnded():
            deal = replace(state.deal, winner=event.winner_side, score=event.score)
            return replace(state, deal=deal, to_play=None)
        case _:
            assert_never(event)


def _dealt(before: Deal, event: HandDealt) -> Deal:
    return Deal(
        before.rules,
        before.score,
        before.carry,
        None,
        event.hand,
        event.dealer,
        event.trump_card,
        event.cards,
        tuple([mask_of(cards) for cards in event.cards]),
    )
