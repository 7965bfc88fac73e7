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


def evolve(state: State, event: BuracoEvent) -> State:
    """The state after an event."""
    match event:
        case StockDrawn():
            return replace(
                state,
                hands=_with(state.hands, event.seat, (event.card,)),
                stock=state.stock[1:],
                phase="play",
                idle_turns=0,
            )
        case CardDiscarded():
            return replace(
                state,
                hands=_without_one(state.hands, event.seat, event.card),
                lixo=(*state.lixo, event.card),
            )
        case TurnEnded():
            return replace(
                state,
                turn=event.turn + 1,
                to_play=event.next_seat,
                phase="draw",
                barred=(),
                took_lixo=False,
                laid=False,
                idle_turns=event.idle_turns,
                unplayed=state.unplayed
                and tuple([morto for morto in state.unplayed if morto.seat != event.next_seat]),
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
        case LixoTaken():
            return replace(
                state,
                hands=_with(state.hands, event.seat, event.cards),
                lixo=(),
                phase="play",
                barred=event.barred,
                took_lixo=True,
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


def _without_one(hands: Hands, seat: int, card: str) -> Hands:
    hand = hands[seat]
    place = hand.index(card)
    after = list(hands)
    after[seat] = hand[:place] + hand[place + 1 :]
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
