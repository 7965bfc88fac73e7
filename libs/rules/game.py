"""What a game is: a pure decider over its own moves, driven by a rule-set value.

A game knows nothing of players, clocks, logs or services. The table's decider wraps one and owns what all games
share. Games satisfy `Game` structurally. Seats are numbered in order of play (ruling G-02).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NewType, Protocol, TypeVar

import msgspec

from libs.rules.shuffle import Draws

Seat = NewType("Seat", int)
Side = NewType("Side", int)

Rules = TypeVar("Rules")
State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")
Seen = TypeVar("Seen", covariant=True)
View = TypeVar("View", covariant=True)


class Rejection(msgspec.Struct, frozen=True):
    """A refused move: a stable code from the game's closed list, and facts that explain it. It changes nothing."""

    code: str
    facts: Mapping[str, str] = {}


class InvalidRuleSetError(ValueError):
    """A switch that the rule set does not have, or a value that the switch does not take."""


class Awaited(msgspec.Struct, frozen=True, gc=False):
    """What the match waits for.

    `moment` differs whenever the game waits for something new, so that a clock restarts exactly then (ruling G-10).
    `seats` may all act; the first one is asked if they are robots. `is_answer` marks a side's answer (a raise, a mão
    de onze) or a claim: a missed one is no automatic play (ruling G-06). Where `each_answers`, nobody answers for another:
    every robot is asked, and when the time is up each seat that is left is played for (ruling C-09). Seats that are `out`
    take no part in the match any more (ruling C-12).
    """

    moment: str
    seats: tuple[Seat, ...]
    seconds: int
    is_answer: bool = False
    each_answers: bool = False
    out: tuple[Seat, ...] = ()


class LegalMove(msgspec.Struct, Generic[Move], frozen=True, gc=False, cache_hash=True):
    """A move that `decide` accepts now; `consequence` names a rule that makes it lose, else it is empty."""

    move: Move
    consequence: str = ""


class Result(msgspec.Struct, frozen=True):
    """How a match ended: the winning sides (empty for a draw or none) and the points of each side."""

    winners: tuple[Side, ...]
    score: tuple[int, ...]


class Game(Protocol[Rules, State, Move, Event, Seen, View]):
    """One preset of a game. Every method is pure."""

    @property
    def preset(self) -> str:
        """The public name, such as `truco-paulista`."""

    @property
    def rules_version(self) -> int:
        """Grows with each change of rule; a table names the one it is played by."""

    @property
    def player_counts(self) -> tuple[int, ...]:
        """How many may play."""

    @property
    def lists_every_move(self) -> bool:
        """Whether `legal_moves` is all that `decide` accepts. False where there are too many to list, as melds: there
        every listed move is accepted, and the view describes the others.
        """

    @property
    def tells_alike(self) -> bool:
        """Whether `observe` tells every viewer of an event the same, so that it need be asked once."""

    def rule_set(self, switches: Mapping[str, str]) -> Rules:
        """The preset's rule set with some switches set (names and values in snake_case text).

        Raises InvalidRuleSetError.
        """

    def switches(self, rules: Rules) -> Mapping[str, str]:
        """Every switch of the rule set, as text."""

    def initial(self, rules: Rules, players: int) -> State:
        """The match before its first deal."""

    def start(self, state: State, draws: Draws) -> Sequence[Event]:
        """The events of the first deal."""

    def decide(self, state: State, seat: Seat, move: Move, draws: Draws) -> Sequence[Event] | Rejection:
        """The events of a seat's move (at least one), or why it is refused.

        The only way to act, for people, robots and clocks.
        """

    def evolve(self, state: State, event: Event) -> State:
        """The state after an event; never fails on an event once accepted and holds no rule."""

    def awaited(self, state: State) -> Awaited | None:
        """What the match waits for; None before the first deal and once it is over."""

    def legal_moves(self, state: State, seat: Seat) -> Sequence[LegalMove[Move]]:
        """What this seat may do now: the moves that `decide` accepts, or some of them (see `lists_every_move`).

        A seat that is awaited has at least one without a consequence.
        """

    def automatic_move(self, state: State, seat: Seat) -> Move:
        """What the server plays when this awaited seat's time is up (rulings G-08, R-14, R-22)."""

    def view(self, state: State, seat: Seat | None) -> View:
        """What this seat (or a spectator: None) may know, built by selecting what is allowed."""

    def observe(self, event: Event, before: State, after: State, seat: Seat | None) -> Seen | None:
        """What this seat (or a spectator) is told of an event, or None if it must not even know of it."""

    def is_fair(self, event: Event, before: State, draws: Draws) -> bool:
        """Whether what an event says was drawn is what these draws give; true for events that draw nothing."""

    def result(self, state: State) -> Result | None:
        """The result, once the match is over."""

    def facts(self, state: State) -> object:
        """The game's facts in plain JSON values, for the state hash: cards by place, turn, score, stake; no clocks."""

    def side_of(self, seat: Seat) -> Side:
        """The side that a seat plays for (ruling G-02)."""
