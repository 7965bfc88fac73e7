"""The Buraco family as a `Game`: a preset is a name and the rule set that it starts from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from libs.rules.buraco import deal, legal, views
from libs.rules.buraco import decide as deciding
from libs.rules.buraco import evolve as evolving
from libs.rules.buraco.course import Course
from libs.rules.buraco.events import BuracoEvent
from libs.rules.buraco.facts import facts_of
from libs.rules.buraco.listed import moves_of
from libs.rules.buraco.moves import BuracoMove
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.buraco.state import State
from libs.rules.buraco.view import BuracoSeen, BuracoView
from libs.rules.game import Awaited, LegalMove, Result, Seat, Side
from libs.rules.preset import Preset
from libs.rules.shuffle import Draws


@lru_cache(maxsize=2048)
def _awaited(turn: int, phase: str, seat: int, seconds: int) -> Awaited:
    return Awaited(f"{turn}.{phase}", (Seat(seat),), seconds)


class Buraco(Preset[RuleSet]):
    """A preset of the family; satisfies `libs.rules.game.Game`. Every method is pure."""

    rules_version = 1
    lists_every_move = False

    def __init__(self, preset: str, defaults: RuleSet) -> None:
        """For two, each alone, or two pairs; `defaults` are the preset's switches, see docs/rulings/buraco.md."""
        super().__init__(preset, defaults, player_counts=(2, 4))

    def initial(self, rules: RuleSet, players: int) -> State:
        """The match before its first deal; raises ValueError for a number of players that the preset has not."""
        self.check_players(players)
        return State(rules, players)

    def start(self, state: State, draws: Draws) -> Sequence[BuracoEvent]:
        """The first deal, by a starter who is drawn (G-03), and the red threes in it (T-03)."""
        course = Course(state, draws)
        course.starts_deal()
        return course.events

    decide = staticmethod(deciding.decide)
    evolve = staticmethod(evolving.evolve)

    def awaited(self, state: State) -> Awaited | None:
        """Whose turn it is. Drawing has a clock of its own, melding and discarding another (G-06, B-29, B-35)."""
        phase = state.phase
        if phase == "over" or state.deal == 0:
            return None
        rules = state.rules
        seconds = rules.draw_seconds if phase == "draw" else rules.play_seconds
        return _awaited(state.turn, phase, state.to_play, seconds)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[LegalMove[BuracoMove]]:
        """Moves that `decide` accepts from this seat now: what the description in its view names (see `legal`).

        All draws, discards and additions of one card are among them; of the melds the longest alone.
        """
        return moves_of(legal.describe(state, seat))

    def automatic_move(self, state: State, seat: Seat) -> BuracoMove:
        """What the server plays when this awaited seat's time is up (G-08)."""
        return legal.automatic_move(state, seat)

    def view(self, state: State, seat: Seat | None) -> BuracoView:
        """What this seat, or a spectator (None), may know."""
        return views.view(state, seat)

    def observe(
        self,
        event: BuracoEvent,
        before: State,
        after: State,  # noqa: ARG002 -- the protocol's; what was before says enough
        seat: Seat | None,
    ) -> BuracoSeen | None:
        """What this viewer is told of an event."""
        return views.observe(event, before, seat)

    def is_fair(self, event: BuracoEvent, before: State, draws: Draws) -> bool:
        """Whether a deal is what these draws give, and a card taken unseen the next one of what was dealt."""
        return deal.is_fair(event, before, draws)

    def result(self, state: State) -> Result | None:
        """The winning side and the score, once the match is over; no winner is a draw (G-05)."""
        if state.phase != "over":
            return None
        return Result(tuple([Side(side) for side in state.winners]), state.score)

    def facts(self, state: State) -> object:
        """The facts for the state hash."""
        return facts_of(state)

    def side_of(self, seat: Seat) -> Side:
        """Sides alternate round the table (G-02); of two players each is a side (B-36)."""
        return Side(seat % 2)
