"""The state after an event: bookkeeping alone. What may be done and what it is worth stands in the events."""

from __future__ import annotations

from collections.abc import Collection
from typing import assert_never

from msgspec.structs import replace

from libs.rules.buraco.events import (
    BuracoEvent,
    CardDiscarded,
    DealEnded,
    DealStarted,
    LixoTaken,
    MatchEnded,
    MeldExtended,
    MeldLaid,
    MortoTaken,
    MortoTurned,
    RedThreeLaid,
    RedThreeReplaced,
    StockDrawn,
    TurnEnded,
)
from libs.rules.buraco.state import Meld, State, UnplayedMorto

Hands = tuple[tuple[str, ...], ...]
_Seldom = (
    MeldLaid
    | MeldExtended
    | LixoTaken
    | MortoTaken
    | RedThreeLaid
    | RedThreeReplaced
    | MortoTurned
    | DealEnded
    | DealStarted
    | MatchEnded
)


def evolve(state: State, event: BuracoEvent) -> State:
    """The state after an event."""
    # What happens in every turn comes first, and its state is made by position: with `match` and `replace` it takes twice as
    # long.
    if type(event) is StockDrawn:
        hands = list(state.hands)
        hands[event.seat] += (event.card,)
        return State(
            state.rules,
            state.players,
            state.score,
            state.deal,
            state.starter,
            state.turn,
            state.to_play,
            "play",
            tuple(hands),
            state.stock[1:],
            state.mortos,
            state.lixo,
            state.melds,
            state.red_threes,
            state.takers,
            state.mortos_turned,
            state.unplayed,
            state.barred,
            state.took_lixo,
            state.laid,
            0,
            state.scored,
            state.winners,
        )
    if type(event) is CardDiscarded:
        seat = event.seat
        hands = list(state.hands)
        hand = hands[seat]
        place = hand.index(event.card)
        hands[seat] = hand[:place] + hand[place + 1 :]
        return State(
            state.rules,
            state.players,
            state.score,
            state.deal,
            state.starter,
            state.turn,
            state.to_play,
            state.phase,
            tuple(hands),
            state.stock,
            state.mortos,
            (*state.lixo, event.card),
            state.melds,
            state.red_threes,
            state.takers,
            state.mortos_turned,
            state.unplayed,
            state.barred,
            state.took_lixo,
            state.laid,
            state.idle_turns,
            state.scored,
            state.winners,
        )
    if type(event) is TurnEnded:
        unplayed = state.unplayed
        if unplayed:
            unplayed = tuple([morto for morto in unplayed if morto.seat != event.next_seat])
        return State(
            state.rules,
            state.players,
            state.score,
            state.deal,
            state.starter,
            event.turn + 1,
            event.next_seat,
            "draw",
            state.hands,
            state.stock,
            state.mortos,
            state.lixo,
            state.melds,
            state.red_threes,
            state.takers,
            state.mortos_turned,
            unplayed,
            (),
            False,
            False,
            event.idle_turns,
            state.scored,
            state.winners,
        )
    return _seldom(state, event)


def _seldom(state: State, event: _Seldom) -> State:
    match event:
        case LixoTaken():
            return replace(
                state,
                hands=_with(state.hands, event.seat, event.cards),
                lixo=(),
                phase="play",
                barred=event.barred,
                took_lixo=True,
            )
        case MeldLaid():
            return replace(
                state,
                hands=_without(state.hands, event.seat, event.shape.cards),
                melds=(*state.melds, Meld(event.number, event.seat % 2, event.shape)),
                laid=True,
            )
        case MeldExtended():
            melds = list(state.melds)
            melds[event.number] = replace(melds[event.number], shape=event.shape)
            return replace(
                state,
                hands=_without(state.hands, event.seat, event.added),
                melds=tuple(melds),
                laid=True,
            )
        case MortoTaken():
            return _morto_taken(state, event)
        case RedThreeLaid():
            return _red_three_laid(state, event)
        case RedThreeReplaced():
            return replace(state, hands=_with(state.hands, event.seat, (event.card,)), stock=state.stock[1:])
        case MortoTurned():
            return replace(
                state,
                stock=event.cards,
                mortos=state.mortos[1:],
                mortos_turned=state.mortos_turned + 1,
            )
        case DealEnded():
            return replace(state, score=event.score, scored=event.sides)
        case DealStarted():
            return _deal_started(state, event)
        case MatchEnded():
            return replace(state, phase="over", winners=event.winners, score=event.score)
        case _:
            assert_never(event)


def _with(hands: Hands, seat: int, cards: tuple[str, ...]) -> Hands:
    after = list(hands)
    after[seat] += cards
    return tuple(after)


def _without(hands: Hands, seat: int, cards: Collection[str]) -> Hands:
    after = list(hands)
    after[seat] = tuple([card for card in hands[seat] if card not in cards])
    return tuple(after)


def _morto_taken(state: State, event: MortoTaken) -> State:
    a, b = state.takers
    return replace(
        state,
        hands=_with(state.hands, event.seat, event.cards),
        mortos=state.mortos[1:],
        takers=(event.seat, b) if event.seat % 2 == 0 else (a, event.seat),
        unplayed=state.unplayed if event.direct else (*state.unplayed, UnplayedMorto(event.seat)),
    )


def _red_three_laid(state: State, event: RedThreeLaid) -> State:
    a, b = state.red_threes
    unplayed = state.unplayed
    if event.from_morto:
        unplayed = tuple(
            [
                replace(morto, red_threes=(*morto.red_threes, event.card))
                if morto.seat == event.seat
                else morto
                for morto in unplayed
            ]
        )
    return replace(
        state,
        hands=_without(state.hands, event.seat, (event.card,)),
        red_threes=((*a, event.card), b) if event.seat % 2 == 0 else (a, (*b, event.card)),
        unplayed=unplayed,
    )


def _deal_started(state: State, event: DealStarted) -> State:
    return State(
        rules=state.rules,
        players=state.players,
        score=state.score,
        deal=event.deal,
        starter=event.starter,
        turn=event.turn,
        to_play=event.starter,
        hands=event.hands,
        stock=event.stock,
        mortos=event.mortos,
        lixo=event.lixo,
        scored=state.scored,
    )
