"""Dominó as a `Game`: a preset is a name and the rule set that it starts from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from libs.rules.domino import decide as deciding
from libs.rules.domino import evolve as evolving
from libs.rules.domino import legal, views
from libs.rules.domino.deal import first_round, is_fair_deal
from libs.rules.domino.events import DominoEvent, RoundDealt
from libs.rules.domino.facts import facts_of
from libs.rules.domino.rule_set import RuleSet
from libs.rules.domino.state import Standing, State
from libs.rules.domino.view import DominoSeen, DominoView
from libs.rules.game import Awaited, Result, Seat, Side
from libs.rules.preset import Preset
from libs.rules.shuffle import Draws

_MOMENTS_KEPT = 2_048


class Domino(Preset[RuleSet]):
    """A preset of Dominó; satisfies `libs.rules.game.Game`. Every method is pure."""

    rules_version = 1
    lists_every_move = True
    tells_alike = True

    def initial(self, rules: RuleSet, players: int) -> State:
        """The match before its first deal; raises ValueError for a number of players that the preset has not."""
        self.check_players(players)
        return State(Standing(rules))

    def start(self, state: State, draws: Draws) -> Sequence[DominoEvent]:  # noqa: ARG002 -- the protocol's
        """The first deal; who holds the 6-6 opens (D-01)."""
        return (first_round(draws),)

    decide = staticmethod(deciding.decide)
    evolve = staticmethod(evolving.evolve)

    def awaited(self, state: State) -> Awaited | None:
        """Who must play a tile. The clock starts anew after each one; passes take no time (D-04, G-10)."""
        seat = state.to_play
        if seat is None:
            return None
        return _awaited(state.deal.round, state.turn, seat, state.standing.rules.card_seconds)

    legal_moves = staticmethod(legal.legal_moves)
    automatic_move = staticmethod(legal.automatic_move)

    def view(self, state: State, seat: Seat | None) -> DominoView:
        """What this seat, or a spectator (None), may know."""
        return views.view(state, seat)

    def observe(
        self,
        event: DominoEvent,
        before: State,  # noqa: ARG002 -- the protocol's; an event of Dominó says all by itself
        after: State,  # noqa: ARG002 -- as above
        seat: Seat | None,  # noqa: ARG002 -- as above
    ) -> DominoSeen | None:
        """What this viewer is told of an event."""
        return views.observe(event)

    def is_fair(self, event: DominoEvent, before: State, draws: Draws) -> bool:
        """Whether a deal is what these draws give (see `deal`); true for other events."""
        return not isinstance(event, RoundDealt) or is_fair_deal(event, before, draws)

    def result(self, state: State) -> Result | None:
        """The winning side and the score, once the match is over."""
        if state.winner is None:
            return None
        return Result((Side(state.winner),), state.score)

    def facts(self, state: State) -> object:
        """The facts for the state hash."""
        return facts_of(state)

    def side_of(self, seat: Seat) -> Side:
        """Sides alternate round the table (G-02)."""
        return Side(seat % 2)


@lru_cache(maxsize=_MOMENTS_KEPT)
def _awaited(number: int, turn: int, seat: int, seconds: int) -> Awaited:
    """Kept, because the same moment comes in every match."""
    return Awaited(f"{number}.{turn}", (Seat(seat),), seconds)


DOMINO = Domino("domino", RuleSet(), player_counts=(4,))
"""Dominó for two pairs with all 28 tiles dealt; the rules of the platform."""
