"""The state after an event: bookkeeping alone. Who is next, what is open and who scores stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.domino.events import DominoEvent, MatchEnded, RoundDealt, RoundEnded, SeatPassed, TilePlayed
from libs.rules.domino.state import Deal, Standing, State
from libs.rules.domino.tiles import ALL, BITS, mask_of


def evolve(state: State, event: DominoEvent) -> State:
    """The state after an event."""
    # States of a running round are built in place: `replace` costs more than all the rest of a move.
    if isinstance(event, TilePlayed):
        return State(
            state.standing,
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
            state.standing,
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
            standing = replace(state.standing, score=event.score, next_starter=event.next_starter)
            return replace(state, standing=standing, to_play=None)
        case RoundDealt():
            masks = tuple([mask_of(tiles) for tiles in event.tiles])
            deal = Deal(event.round, event.starter, event.opening, event.tiles, masks)
            standing = Standing(state.standing.rules, state.standing.score)
            return State(standing, deal, unplayed=ALL, to_play=event.starter)
        case MatchEnded():
            standing = Standing(state.standing.rules, event.score, event.winner_side)
            return replace(state, standing=standing, to_play=None)
        case _:
            assert_never(event)
