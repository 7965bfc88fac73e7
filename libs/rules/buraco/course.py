"""What follows upon a play by itself: red threes, a morto, the end of a turn, a deal and a match.

One decision can bring about many events, and each depends on the ones before it; `Course` holds them with the state that
they lead to.
"""

from __future__ import annotations

from libs.rules.buraco.cards import RED_THREES
from libs.rules.buraco.deal import next_deal
from libs.rules.buraco.events import (
    BuracoEvent,
    DealEnded,
    MatchEnded,
    MortoTaken,
    MortoTurned,
    RedThreeLaid,
    RedThreeReplaced,
    StockDrawn,
    TurnEnded,
)
from libs.rules.buraco.evolve import evolve
from libs.rules.buraco.going_out import may_take_morto
from libs.rules.buraco.scoring import side_score
from libs.rules.buraco.state import State
from libs.rules.shuffle import Draws

MOST_DEALS = 25
"""G-04: a match to a target ends with this deal at the latest, so that none is endless."""


def turn_ended(state: State) -> TurnEnded:
    """The end of the turn that this state is in; a discard before it makes no difference to it."""
    seat = state.to_play
    idle_turns = state.idle_turns + 1 if state.took_lixo and not state.laid else 0
    return TurnEnded(state.turn, seat, (seat + 1) % state.players, idle_turns)


class Course:
    """The events of one decision so far, and the state after them; `turn_goes_on` unless a deal has ended in it."""

    __slots__ = ("_draws", "events", "state", "turn_goes_on")

    def __init__(self, state: State, draws: Draws) -> None:
        self.state = state
        self.events: list[BuracoEvent] = []
        self.turn_goes_on = True
        self._draws = draws

    def happens(self, event: BuracoEvent) -> None:
        """An event, and the state after it."""
        self.state = evolve(self.state, event)
        self.events.append(event)

    def starts_deal(self) -> None:
        """A deal, and the red threes that it gave, from the starter on (T-03)."""
        self.happens(next_deal(self.state, self._draws))
        for order in range(self.state.players):
            self._lays_red_threes((self.state.starter + order) % self.state.players)

    def draws_from_stock(self, seat: int) -> None:
        """The draw of a turn, with the red threes that it brings (T-01, T-02); it may end the deal (B-43)."""
        self.happens(StockDrawn(self.state.turn, seat, self.state.stock[0]))
        self._lays_red_threes(seat)
        self._ends_if_out_of_cards()

    def hand_is_empty(self, seat: int, *, direct: bool) -> None:
        """A morto is taken (B-35), or it is the final batida (B-37); a morto's red threes may end the deal (T-05)."""
        if not may_take_morto(self.state, seat % 2):
            self.ends_deal(seat)
            return
        self.happens(MortoTaken(self.state.turn, seat, direct, self.state.mortos[0]))
        if self._lays_red_threes(seat, from_morto=not direct):
            self._ends_if_out_of_cards()

    def ends_turn(self) -> None:
        """The next seat's turn, with a morto for a stock if need be (B-44), or the end of the deal (B-43)."""
        state = self.state
        if not state.stock and not state.mortos:
            self.ends_deal(None)
            return
        self.happens(turn_ended(state))
        if not state.stock:
            self.happens(MortoTurned(state.mortos[0]))

    def ends_deal(self, out_seat: int | None) -> None:
        """The score; then the next deal or the end of the match (G-04, G-05)."""
        state = self.state
        sides = side_score(state, 0, out_seat), side_score(state, 1, out_seat)
        score = state.score[0] + sides[0].total, state.score[1] + sides[1].total
        self.happens(DealEnded(state.deal, out_seat, sides, score))
        self.turn_goes_on = False
        if state.rules.match_format == "target" and not self._is_decided(score):
            self.starts_deal()
            return
        self.happens(MatchEnded(self._winners(score, out_seat), score))

    def _is_decided(self, score: tuple[int, int]) -> bool:
        is_reached = max(score) >= self.state.rules.target_points and score[0] != score[1]
        return is_reached or self.state.deal >= MOST_DEALS

    def _winners(self, score: tuple[int, int], out_seat: int | None) -> tuple[int, ...]:
        if score[0] != score[1]:
            return (0,) if score[0] > score[1] else (1,)
        if self.state.rules.tie_break == "batida" and out_seat is not None:
            return (out_seat % 2,)
        return ()

    def _lays_red_threes(self, seat: int, *, from_morto: bool = False) -> bool:
        """Lays and replaces the red threes of a hand until it has none (T-01, T-02, T-04); whether a card was drawn."""
        rules = self.state.rules
        drew = False
        if not rules.special_threes:
            return drew
        while red := next((card for card in self.state.hands[seat] if card in RED_THREES), None):
            self.happens(RedThreeLaid(seat, red, from_morto))
            if rules.red_three_replace and self.state.stock:
                self.happens(RedThreeReplaced(seat, self.state.stock[0]))
                drew = True
        return drew

    def _ends_if_out_of_cards(self) -> None:
        """B-43, T-05: the draw of the last card ends the deal at once where `stock_end` says so and no morto is left."""
        state = self.state
        if state.rules.stock_end == "immediate" and not state.stock and not state.mortos:
            self.ends_deal(None)
