"""The state after an event: bookkeeping alone. Who wins and who scores stand in the events.

Who is next stands there too, for those who are told of them; here the turn after a turn is kept in it, and is the same.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.sueca.cards import ALL_CARDS, BITS, SUIT_MASKS, mask_of
from libs.rules.sueca.events import CardPlayed, HandDealt, HandEnded, MatchEnded, SuecaEvent, TrickEnded
from libs.rules.sueca.state import Deal, State, Trick
from libs.rules.sueca.turns import Pause, moves_of, turns_of


def evolve(_game: object, state: State, event: SuecaEvent) -> State:
    """The state after an event."""
    # Spelt out, for these two are most of a match: `replace` and `match` take twice as long.
    if type(event) is CardPlayed:
        card, plays = event.card, state.plays
        return State(
            state.deal,
            state.turn.after,
            state.unplayed ^ BITS[card],
            state.asked if plays else SUIT_MASKS[card],
            plays + (card,),  # noqa: RUF005 -- the other form takes half as long again
            state.tricks,
        )
    if type(event) is TrickEnded:
        winner, deal = event.winner_seat, state.deal
        trick = Trick(state.turn.leader, state.plays, winner, event.points)
        return State(
            deal,
            deal.turns[event.trick + 1][winner],
            state.unplayed,
            ALL_CARDS,
            (),
            state.tricks + (trick,),  # noqa: RUF005 -- as above
        )
    match event:
        case HandEnded():
            deal = replace(state.deal, score=event.score, carry=event.carry)
            return replace(state, deal=deal, turn=Pause(event.hand, state.trick, state.leader))
        case HandDealt():
            deal = _dealt(state.deal, event)
            return State(deal, deal.turns[1][event.leader], ALL_CARDS, ALL_CARDS)
        case MatchEnded():
            deal = replace(state.deal, winner=event.winner_side, score=event.score)
            return replace(state, deal=deal)
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
        turns_of(event.hand, before.rules.card_seconds),
    )
