"""Truco as a `Game`: a preset is a name and the rule set that it starts from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from libs.rules.game import Awaited, LegalMove, Rejection, Result, Seat, Side
from libs.rules.preset import Preset
from libs.rules.shuffle import Draws
from libs.rules.truco import decide as deciding
from libs.rules.truco import evolve as evolving
from libs.rules.truco import legal, views
from libs.rules.truco.deal import dealt_hand, first_dealer, is_fair_deal
from libs.rules.truco.events import HandDealt, TrucoEvent
from libs.rules.truco.facts import facts_of
from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.rule_set import RuleSet
from libs.rules.truco.state import State, answering_seats
from libs.rules.truco.view import TrucoSeen, TrucoView


class Truco(Preset[RuleSet]):
    """A preset of Truco; satisfies `libs.rules.game.Game`. Every method is pure."""

    rules_version = 2
    lists_every_move = True
    tells_alike = True

    def initial(self, rules: RuleSet, players: int) -> State:
        """The match before its first deal; raises ValueError for a number of players that the preset has not."""
        self.check_players(players)
        return State(rules, players)

    def start(self, state: State, draws: Draws) -> Sequence[TrucoEvent]:
        """The first deal, by a dealer who is drawn (G-03)."""
        dealer = first_dealer(state.players, draws)
        return (dealt_hand(state.rules, state.score, draws, hand=1, dealer=dealer, players=state.players),)

    def decide(
        self, state: State, seat: Seat, move: TrucoMove, draws: Draws
    ) -> Sequence[TrucoEvent] | Rejection:
        """The events of a seat's move, or why it is refused (see `rejections.Code`)."""
        return deciding.decide(state, seat, move, draws)

    def evolve(self, state: State, event: TrucoEvent) -> State:
        """The state after an event."""
        return evolving.evolve(state, event)

    def awaited(self, state: State) -> Awaited | None:
        """Who must play or answer. The clock starts anew after each card and after each answer (G-10).

        Where running needs both (R-13), the partner who has still to answer is a new moment too.
        """
        if state.winner is not None or state.hand == 0:
            return None
        seconds = state.rules.card_seconds
        if state.pending is not None or state.awaits_eleven_answer:
            question = "eleven" if state.pending is None else f"raise-{state.pending.value}"
            moment = f"{state.hand}.{question}.{len(state.folding)}"
            return Awaited(moment, tuple(map(Seat, answering_seats(state))), seconds, is_answer=True)
        if state.to_play is None:
            return None
        # An accepted raise changes the value, so the value tells the moments before and after an answer apart.
        return _awaited_card(
            state.hand, len(state.tricks) + 1, len(state.plays), state.value, state.to_play, seconds
        )

    def legal_moves(self, state: State, seat: Seat) -> Sequence[LegalMove[TrucoMove]]:
        """Exactly the moves that `decide` accepts from this seat now."""
        return legal.legal_moves(state, seat)

    def automatic_move(self, state: State, seat: Seat) -> TrucoMove:
        """What the server plays when this awaited seat's time is up (R-14, R-17, R-22)."""
        return legal.automatic_move(state, seat)

    def view(self, state: State, seat: Seat | None) -> TrucoView:
        """What this seat, or a spectator (None), may know."""
        return views.view(state, seat)

    def observe(
        self,
        event: TrucoEvent,
        before: State,  # noqa: ARG002 -- the protocol's; an event of Truco says all by itself
        after: State,  # noqa: ARG002 -- as above
        seat: Seat | None,  # noqa: ARG002 -- as above
    ) -> TrucoSeen | None:
        """What this viewer is told of an event."""
        return views.observe(event)

    def is_fair(self, event: TrucoEvent, before: State, draws: Draws) -> bool:
        """Whether a deal, its dealer included, is what these draws give (see `deal`); true for other events."""
        return not isinstance(event, HandDealt) or is_fair_deal(event, before, draws)

    def result(self, state: State) -> Result | None:
        """The winning side and the score, once the match is over."""
        if state.winner is None:
            return None
        return Result((Side(state.winner),), state.score)

    def facts(self, state: State) -> object:
        """The facts for the state hash."""
        return facts_of(state)

    def side_of(self, seat: Seat) -> Side:
        """Sides alternate round the table (G-02, R-03)."""
        return Side(seat % 2)


@lru_cache(maxsize=4096)
def _awaited_card(hand: int, trick: int, plays: int, value: int, seat: int, seconds: int) -> Awaited:
    """Kept, because it is asked for again and again: whoever signals changes nothing of it."""
    return Awaited(f"{hand}.{trick}.{plays}.{value}", (Seat(seat),), seconds)


TRUCO_PAULISTA = Truco("truco-paulista", RuleSet(), player_counts=(4,))
"""Truco Paulista for two pairs; the rules of the platform."""

TRUCO_003 = Truco(
    "truco@003",
    RuleSet(raise_in_eleven_hand="any_loses", eleven_decision="none", signals=False),
    player_counts=(4,),
)
"""The Truco of house [003]: no look and no answer at eleven, and no signals."""

TRUCO_004 = Truco(
    "truco@004",
    RuleSet(
        raise_window="anytime",
        raise_cap=True,
        raise_in_eleven_hand="any_pays3",
        triple_tie_raised="opponent_unless_blind",
        triple_tie_eleven_hand="opponents3",
        iron_hand="open",
        cover="off",
    ),
    player_counts=(4, 6),
)
"""The Truco of house [004], in pairs or trios (R-03)."""
