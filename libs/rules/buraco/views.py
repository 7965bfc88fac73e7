"""What each viewer may know, built by selecting what is allowed (G-11): never by taking secrets out.

Cards are shown of: one's own hand, melds, red threes, the lixo as far as it is seen (B-27), and everything once the match is
over. Of a lixo that is taken, the others are told what they saw of it.
"""

from __future__ import annotations

from functools import lru_cache

from libs.rules.buraco.events import (
    BuracoEvent,
    DealStarted,
    LixoTaken,
    MortoTaken,
    MortoTurned,
    RedThreeReplaced,
    StockDrawn,
)
from libs.rules.buraco.legal import describe
from libs.rules.buraco.melds import canastra_points, is_canastra
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.buraco.scoring import table_points
from libs.rules.buraco.state import State
from libs.rules.buraco.view import (
    BuracoSeen,
    BuracoView,
    DealStartedSeen,
    HandView,
    House,
    LixoTakenSeen,
    MeldView,
    MortoTakenSeen,
    MortoTurnedSeen,
    RedThreeReplacedSeen,
    SideView,
    StockDrawnSeen,
)

_latest: tuple[State, BuracoView] | None = None


def view(state: State, seat: int | None) -> BuracoView:
    """The match as this seat, or a spectator (None), may know it; raises ValueError before the first deal.

    A seat's view is the public one, with its hand and what it may do. The public one of the state that was looked at last is
    kept: every seat looks at a state in turn.
    """
    global _latest  # noqa: PLW0603 -- the same value whoever asks; read and written whole
    latest = _latest
    if latest is None or latest[0] is not state:
        latest = _latest = (state, _public_view(state))
    public = latest[1]
    return public if seat is None else _seats_view(state, seat, public)


def _public_view(state: State) -> BuracoView:
    if state.deal == 0:
        raise ValueError("there is nothing to see before the first deal")
    is_over = state.phase == "over"
    return BuracoView(
        house=_house(state.rules),
        phase=state.phase,
        score=state.score,
        deal=state.deal,
        starter=state.starter,
        turn=state.turn,
        to_play=None if is_over else state.to_play,
        hands=tuple(
            [HandView(seat, len(held), held if is_over else ()) for seat, held in enumerate(state.hands)]
        ),
        stock_count=len(state.stock),
        mortos_left=len(state.mortos),
        mortos_turned=state.mortos_turned,
        lixo_count=len(state.lixo),
        lixo=state.lixo if is_over else _seen_lixo(state, state.lixo),
        melds=_melds(state),
        sides=tuple(
            [
                SideView(side, state.red_threes[side], state.takers[side], *table_points(state, side))
                for side in (0, 1)
            ]
        ),
        barred=state.barred,
        took_lixo=state.took_lixo,
        scored=state.scored,
        winners=state.winners,
        seat=None,
        stock=state.stock if is_over else (),
        mortos=state.mortos if is_over else (),
    )


@lru_cache(maxsize=64)
def _house(rules: RuleSet) -> House:
    return House(
        jokers=rules.jokers,
        sets=rules.sets,
        special_threes=rules.special_threes,
        is_lixo_open=rules.lixo == "open",
        justify_top=rules.justify_top,
        needs_clean_canastra=rules.go_out == "clean",
    )


def _seats_view(state: State, seat: int, public: BuracoView) -> BuracoView:
    held = state.hands[seat]
    hands = list(public.hands)
    hands[seat] = HandView(seat, len(held), held)
    return BuracoView(
        public.house,
        public.phase,
        public.score,
        public.deal,
        public.starter,
        public.turn,
        public.to_play,
        tuple(hands),
        public.stock_count,
        public.mortos_left,
        public.mortos_turned,
        public.lixo_count,
        public.lixo,
        public.melds,
        public.sides,
        public.barred,
        public.took_lixo,
        public.scored,
        public.winners,
        seat,
        describe(state, seat),
        public.stock,
        public.mortos,
    )


def _seen_lixo(state: State, lixo: tuple[str, ...]) -> tuple[str, ...]:
    return lixo if state.rules.lixo == "open" else lixo[-1:]


def _melds(state: State) -> tuple[MeldView, ...]:
    return tuple(
        [
            MeldView(
                meld.number,
                meld.side,
                meld.shape.kind,
                meld.shape.cards,
                meld.shape.wilds,
                meld.shape.clean,
                is_canastra(state.rules, meld.shape),
                canastra_points(state.rules, meld.shape),
            )
            for meld in state.melds
        ]
    )


def observe(event: BuracoEvent, before: State, seat: int | None) -> BuracoSeen:
    """What this viewer is told of an event: all but the cards that come unseen to another hand, or to the stock."""
    match event:
        case DealStarted():
            return DealStartedSeen(event.deal, event.starter, event.turn, len(event.stock), event.lixo)
        case StockDrawn():
            return StockDrawnSeen(event.turn, event.seat, event.card if event.seat == seat else None)
        case RedThreeReplaced():
            return RedThreeReplacedSeen(event.seat, event.card if event.seat == seat else None)
        case LixoTaken():
            shown = event.cards if event.seat == seat else _seen_lixo(before, event.cards)
            return LixoTakenSeen(event.turn, event.seat, len(event.cards), shown, event.barred)
        case MortoTaken():
            cards = event.cards if event.seat == seat else ()
            return MortoTakenSeen(event.turn, event.seat, event.direct, len(event.cards), cards)
        case MortoTurned():
            return MortoTurnedSeen(len(event.cards))
        case _:
            return event
