"""The state after an event: bookkeeping alone. Who is next, what is open and who scores stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.domino.events import DominoEvent, MatchEnded, RoundDealt, RoundEnded, SeatPassed, TilePlayed
from libs.rules.domino.state import Deal, State
from libs.rules.domino.tiles import ALL, BITS, mask_of


def evolve(state: State, event: DominoEvent) -> State:
    """The state after an event."""
    # States of a running round are built in place: `replace` costs more than all the rest of a move.
    if isinstance(event, TilePlayed):
        return State(
            state.rules,
            state.score,
            None,
            state.deal,
            event.turn + 1,
            state.unplayed ^ BITS[event.tile],
            event.ends,
            event.next_seat,
            (*state.plays, event),
            state.passes,
        )
    if isinstance(event, SeatPassed):
        return State(
            state.rules,
            state.score,
            None,
            state.deal,
            state.turn,
            state.unplayed,
            state.ends,
            event.next_seat,
            state.plays,
            (*state.passes, event),
        )
    match event:
        case RoundEnded():
            return replace(state, score=event.score, to_play=None, next_starter=event.next_starter)
        case RoundDealt():
            masks = tuple([mask_of(tiles) for tiles in event.tiles])
            deal = Deal(event.round, event.starter, event.opening, event.tiles, masks)
            return State(state.rules, state.score, deal=deal, unplayed=ALL, to_play=event.starter)
        case MatchEnded():
            return replace(
                state, winner=event.winner_side, score=event.score, to_play=None, next_starter=None
            )
        case _:
            assert_never(event)
