"""Mau Mau as a `Game`: a preset is a name and the rule set that it starts from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from libs.rules.game import Awaited, Result, Seat, Side
from libs.rules.mau_mau import decide as deciding
from libs.rules.mau_mau import evolve as evolving
from libs.rules.mau_mau import legal, views
from libs.rules.mau_mau.deal import dealt, first_events
from libs.rules.mau_mau.drawing import shuffle_of_pile
from libs.rules.mau_mau.events import CardsDealt, CardsDrawn, MauMauEvent, PenaltyTaken, PileShuffled
from libs.rules.mau_mau.facts import facts_of
from libs.rules.mau_mau.moves import MauMauMove
from libs.rules.mau_mau.rule_set import RuleSet
from libs.rules.mau_mau.state import State
from libs.rules.mau_mau.view import MauMauSeen, MauMauView
from libs.rules.preset import Preset
from libs.rules.shuffle import Draws


class MauMau(Preset[RuleSet]):
    """A preset of Mau Mau; satisfies `libs.rules.game.Game`. Every method is pure. One deal is one match (M-11)."""

    rules_version = 1
    lists_every_move = True

    def initial(self, rules: RuleSet, players: int) -> State:
        """The match before its deal; raises ValueError for a number of players that the preset has not."""
        self.check_players(players)
        return State(rules, players)

    def start(self, state: State, draws: Draws) -> Sequence[MauMauEvent]:
        """The deal, and what the turned card brings about (G-03, M-09)."""
        return first_events(state, draws)

    # These three are called for each move, and are what they are called: a method around them would cost a tenth.
    decide = staticmethod(deciding.decide)
    evolve = staticmethod(evolving.evolve)
    legal_moves = staticmethod(legal.legal_moves)

    def awaited(self, state: State) -> Awaited | None:
        """Who must play. The clock starts anew after each turn, and after a draw within it (G-06)."""
        if state.to_play is None:
            return None
        return _awaited(state.turn, state.has_drawn, state.to_play, state.rules.card_seconds)

    def automatic_move(self, state: State, seat: Seat) -> MauMauMove:
        """What the server plays when this awaited seat's time is up (G-08)."""
        return legal.automatic_move(state, seat)

    def view(self, state: State, seat: Seat | None) -> MauMauView:
        """What this seat, or a spectator (None), may know."""
        return views.view(state, seat)

    def observe(
        self,
        event: MauMauEvent,
        before: State,  # noqa: ARG002 -- the protocol's; an event of Mau Mau says all by itself
        after: State,  # noqa: ARG002 -- as above
        seat: Seat | None,
    ) -> MauMauSeen | None:
        """What this viewer is told of an event."""
        return views.observe(event, seat)

    def is_fair(self, event: MauMauEvent, before: State, draws: Draws) -> bool:
        """Whether a deal or a shuffle is what these draws give, and drawn cards are the stock's first; else true."""
        match event:
            case CardsDealt():
                return event == dealt(before.rules, before.players, draws)
            case PileShuffled():
                return event == shuffle_of_pile(before, draws)
            case CardsDrawn() | PenaltyTaken():
                return event.cards == before.stock[: len(event.cards)]
            case _:
                return True

    def result(self, state: State) -> Result | None:
        """The winner, if there is one, and the cards left to each seat, once the match is over (M-11)."""
        if not state.is_over:
            return None
        winners = () if state.winner is None else (Side(state.winner),)
        return Result(winners, tuple([len(hand) for hand in state.hands]))

    def facts(self, state: State) -> object:
        """The facts for the state hash."""
        return facts_of(state)

    def side_of(self, seat: Seat) -> Side:
        """Each seat plays alone (G-02)."""
        return Side(seat)


@lru_cache(maxsize=16_384)
def _awaited(turn: int, has_drawn: bool, seat: int, seconds: int) -> Awaited:
    return Awaited(f"{turn}.drawn" if has_drawn else f"{turn}", (Seat(seat),), seconds)


MAU_MAU = MauMau("mau-mau", RuleSet(), player_counts=(4, 5, 6, 7, 8))
"""Mau Mau for four to eight; the rules of house [003]."""
