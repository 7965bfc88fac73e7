"""Cacheta as a `Game`: a preset is a name and the rule set that it starts from."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.cacheta import decide as deciding
from libs.rules.cacheta import evolve as evolving
from libs.rules.cacheta import legal, views
from libs.rules.cacheta.deal import first_round, is_fair
from libs.rules.cacheta.events import CachetaEvent, RoundDealt, StockReshuffled
from libs.rules.cacheta.facts import facts_of
from libs.rules.cacheta.moves import CachetaMove
from libs.rules.cacheta.rule_set import RuleSet
from libs.rules.cacheta.state import STARTING_POINTS, State, asked_seats
from libs.rules.cacheta.view import CachetaSeen, CachetaView
from libs.rules.game import Awaited, LegalMove, Rejection, Result, Seat, Side
from libs.rules.preset import Preset
from libs.rules.shuffle import Draws


class Cacheta(Preset[RuleSet]):
    """A preset of Cacheta; satisfies `libs.rules.game.Game`. Every method is pure."""

    rules_version = 1
    lists_every_move = True

    def initial(self, rules: RuleSet, players: int) -> State:
        """The match before its first deal; raises ValueError for a number of players that the preset has not."""
        self.check_players(players)
        return State(rules, players, (STARTING_POINTS,) * players)

    def start(self, state: State, draws: Draws) -> Sequence[CachetaEvent]:
        """The first deal; who starts is drawn (C-13)."""
        return (first_round(state, draws),)

    def decide(
        self, state: State, seat: Seat, move: CachetaMove, draws: Draws
    ) -> Sequence[CachetaEvent] | Rejection:
        """The events of a seat's move, or why it is refused (see `rejections.Code`)."""
        return deciding.decide(state, seat, move, draws)

    def evolve(self, state: State, event: CachetaEvent) -> State:
        """The state after an event."""
        return evolving.evolve(state, event)

    def awaited(self, state: State) -> Awaited | None:
        """Who must draw, discard or answer. The window for claims is one moment for all who are asked, so that it closes
        on time whoever has answered; the next player's clock starts when it has closed (C-09, G-10).
        """
        if state.is_over or state.round == 0:
            return None
        turn = f"{state.round}.{state.turn}"
        fallen = tuple([Seat(seat) for seat, left in enumerate(state.points) if not left])
        if state.may_claim:
            asked = tuple(map(Seat, asked_seats(state)))
            seconds = state.rules.jump_window_seconds
            return Awaited(f"{turn}.window", asked, seconds, is_answer=True, each_answers=True, out=fallen)
        seat = (Seat(state.to_play),)
        if state.has_drawn:
            return Awaited(f"{turn}.play", seat, state.rules.play_seconds, out=fallen)
        return Awaited(f"{turn}.draw", seat, state.rules.draw_seconds, out=fallen)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[LegalMove[CachetaMove]]:
        """Exactly the moves that `decide` accepts from this seat now."""
        return legal.legal_moves(state, seat)

    def automatic_move(self, state: State, seat: Seat) -> CachetaMove:
        """What the server plays when this awaited seat's time is up (G-08)."""
        return legal.automatic_move(state, seat)

    def view(self, state: State, seat: Seat | None) -> CachetaView:
        """What this seat, or a spectator (None), may know."""
        return views.view(state, seat)

    def observe(
        self,
        event: CachetaEvent,
        before: State,  # noqa: ARG002 -- the protocol's; an event of Cacheta says all by itself
        after: State,  # noqa: ARG002 -- as above
        seat: Seat | None,
    ) -> CachetaSeen | None:
        """What this viewer is told of an event."""
        return views.observe(event, seat)

    def is_fair(self, event: CachetaEvent, before: State, draws: Draws) -> bool:
        """Whether a deal or a new stock is what these draws give (see `deal`); true for other events."""
        return not isinstance(event, RoundDealt | StockReshuffled) or is_fair(event, before, draws)

    def result(self, state: State) -> Result | None:
        """The winner and everybody's points, once the match is over; no winner is a draw (C-11)."""
        if not state.is_over:
            return None
        return Result(() if state.winner is None else (Side(state.winner),), state.points)

    def facts(self, state: State) -> object:
        """The facts for the state hash."""
        return facts_of(state)

    def side_of(self, seat: Seat) -> Side:
        """Everybody plays alone (G-02)."""
        return Side(seat)


CACHETA = Cacheta("cacheta", RuleSet(), player_counts=(4,))
"""Cacheta for four; the rules of house [003]."""
