"""The state after an event: bookkeeping alone. Who is next, who wins and who scores stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.sueca.cards import ALL_CARDS, BITS, SUIT_MASKS, mask_of
from libs.rules.sueca.events import CardPlayed, HandDealt, HandEnded, MatchEnded, SuecaEvent, TrickEnded
from libs.rules.sueca.state import Deal, State, Trick
from libs.rules.sueca.turns import moments_of, moves_of


def evolve(state: State, event: SuecaEvent) -> State:
    """The state after an event."""
    # Spelt out, for these two are most of a match: `replace` and `match` take twice as long.
    if type(event) is CardPlayed:
        card, plays = event.card, state.plays
        return State(
            state.deal,
            state.trick,
            state.unplayed ^ BITS[card],
            state.asked if plays else SUIT_MASKS[card],
            state.leader,
            plays + (card,),  # noqa: RUF005 -- the other form takes half as long again
            event.next_seat,
            state.tricks,
        )
    if type(event) is TrickEnded:
        winner = event.winner_seat
        trick = Trick(state.leader, state.plays, winner, event.points)
        return State(
            state.deal,
            event.trick + 1,
            state.unplayed,
            ALL_CARDS,
            winner,
            (),
            winner,
            state.tricks + (trick,),  # noqa: RUF005 -- as above
        )
    match event:
        case HandEnded():
            deal = replace(state.deal, score=event.score, carry=event.carry)
            return replace(state, deal=deal, to_play=None)
        case HandDealt():
            leader = event.leader
            return State(_dealt(state.deal, event), 1, ALL_CARDS, ALL_CARDS, leader, (), leader, ())
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
        moves_of(event.hand),
        moments_of(event.hand, before.rules.card_seconds),
    )
