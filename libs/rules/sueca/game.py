"""Sueca as a `Game`: a preset is a name and the rule set that it starts from."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.game import Awaited, Result, Seat, Side
from libs.rules.preset import Preset
from libs.rules.shuffle import Draws
from libs.rules.sueca import decide as deciding
from libs.rules.sueca import evolve as evolving
from libs.rules.sueca import legal, views
from libs.rules.sueca.deal import dealt_hand, first_dealer, is_fair_deal
from libs.rules.sueca.events import HandDealt, SuecaEvent
from libs.rules.sueca.facts import facts_of
from libs.rules.sueca.rule_set import RuleSet
from libs.rules.sueca.state import Deal, State
from libs.rules.sueca.view import SuecaSeen


class Sueca(Preset[RuleSet]):
    """A preset of Sueca; satisfies `libs.rules.game.Game`. Every method is pure."""

    rules_version = 1
    lists_every_move = True
    tells_alike = True

    def initial(self, rules: RuleSet, players: int) -> State:
        """The match before its first deal; raises ValueError for a number of players that the preset has not."""
        self.check_players(players)
        return State(Deal(rules))

    def start(self, state: State, draws: Draws) -> Sequence[SuecaEvent]:  # noqa: ARG002 -- the protocol's
        """The first deal, by a dealer who is drawn (G-03)."""
        return (dealt_hand(draws, hand=1, dealer=first_dealer(draws)),)

    # Written where their subject is, and methods all the same, for a call in between costs: most of a match is here.
    decide = deciding.decide
    evolve = evolving.evolve
    legal_moves = legal.legal_moves
    automatic_move = legal.automatic_move
    view = views.view
    facts = staticmethod(facts_of)

    def awaited(self, state: State) -> Awaited | None:
        """Who must play a card. The clock starts anew after each one."""
        return state.turn.awaited

    def observe(
        self,
        event: SuecaEvent,
        before: State,  # noqa: ARG002 -- the protocol's; an event of Sueca says all by itself
        after: State,  # noqa: ARG002 -- as above
        seat: Seat | None,  # noqa: ARG002 -- as above
    ) -> SuecaSeen | None:
        """What this viewer is told of an event."""
        return views.observe(event)

    def is_fair(self, event: SuecaEvent, before: State, draws: Draws) -> bool:
        """Whether a deal, its dealer included, is what these draws give (see `deal`); true for other events."""
        return not isinstance(event, HandDealt) or is_fair_deal(event, before, draws)

    def result(self, state: State) -> Result | None:
        """The winning side and the score, once the match is over."""
        if state.winner is None:
            return None
        return Result((Side(state.winner),), state.score)

    def side_of(self, seat: Seat) -> Side:
        """Partners sit opposite (G-02)."""
        return Side(seat % 2)


SUECA = Sueca("sueca", RuleSet(), player_counts=(4,))
"""Sueca for two pairs; the rules of the platform."""
