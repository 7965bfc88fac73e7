"""Tables of Truco with arranged cards, and matches played by chance: what the tests of this folder stand on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from libs.rules.canonical import state_hash
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from libs.rules.truco.cards import PACK
from libs.rules.truco.deal import dealt_hand
from libs.rules.truco.events import EVENT_TYPES, HandDealt, HandEnded, MatchEnded, TrucoEvent
from libs.rules.truco.game import TRUCO_004
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
    TrucoMove,
)
from libs.rules.truco.signals import Gesture
from libs.rules.truco.state import State

Event = TypeVar("Event")

SEATS = tuple(Seat(seat) for seat in range(4))
SIX_SEATS = tuple(Seat(seat) for seat in range(6))
SECRET = bytes(range(32))

SWITCH_VALUES: Mapping[str, tuple[str, ...]] = {
    "raise_window": ("own_turn", "anytime"),
    "raise_cap": ("false", "true"),
    "raise_in_eleven_hand": ("opponents_once", "any_loses", "any_pays3"),
    "triple_tie_raised": ("none", "opponent", "opponent_unless_blind"),
    "triple_tie_eleven_hand": ("none", "opponents3"),
    "iron_hand": ("blind", "open"),
    "cover": ("not_leader", "off"),
    "eleven_decision": ("look_and_answer", "none"),
    "tie_leader": ("same_leader", "first_tied", "last_tied"),
    "answer_timeout": ("run", "accept"),
    "answer": ("first", "run_needs_both"),
    "signals": ("true", "false"),
    "direction": ("ccw", "cw"),
    "card_seconds": ("20", "5"),
}
"""Every value of every switch; the first one is the default of `truco-paulista`."""

OTHER_HOUSES: Mapping[str, Mapping[str, str]] = {
    "as truco@003": {"raise_in_eleven_hand": "any_loses", "eleven_decision": "none", "signals": "false"},
    "as truco@004": {
        "raise_window": "anytime",
        "raise_cap": "true",
        "raise_in_eleven_hand": "any_pays3",
        "triple_tie_raised": "opponent_unless_blind",
        "triple_tie_eleven_hand": "opponents3",
        "iron_hand": "open",
        "cover": "off",
    },
}
"""The switches of the other houses that the rulings name."""


class ArrangedDraws(Draws):
    """Deals hand 1 from an arranged pack; every later hand is dealt by chance."""

    def __init__(self, pack: Sequence[str]) -> None:
        super().__init__(SECRET, "arranged")
        self._pack = list(pack)

    def shuffled(self, label: str, items: Sequence[Any]) -> list[Any]:
        if label == "hand-1":
            assert sorted(self._pack) == sorted(items)
            return list(self._pack)
        return super().shuffled(label, items)


class Table:
    """One hand with arranged cards, and what a test does with it.

    `hands` names some cards by seat; the rest are filled up from the pack, the weak ones first. The leader is seat 0
    unless told otherwise.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *,
        vira: str = "4O",
        score: tuple[int, int] = (0, 0),
        leader: int = 0,
        players: int = 4,
        **switches: str,
    ) -> None:
        game = GAME if players == 4 else TRUCO_004
        named = {seat: (hands or {}).get(seat, "").split() for seat in range(players)}
        used = {vira, *(card for cards in named.values() for card in cards)}
        spare = iter(
            sorted((card for card in PACK if card not in used), key=lambda card: PACK.index(card) % 10)
        )
        order = [(leader + step) % players for step in range(players)]
        pack = [card for seat in order for card in (*named[seat], *_take(spare, 3 - len(named[seat])))]
        self.draws = ArrangedDraws([*pack, vira, *spare])
        rules = game.rule_set(switches)
        self.log: list[TrucoEvent] = []
        self.state = msgspec.structs.replace(game.initial(rules, players), score=score)
        dealer = (leader - 1) % players
        self._apply([dealt_hand(rules, score, self.draws, hand=1, dealer=dealer, players=players)])

    def _apply(self, events: Sequence[TrucoEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    def do(self, seat: int, move: TrucoMove) -> list[TrucoEvent]:
        """Makes a move that must be accepted, and gives its events."""
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert not isinstance(decision, Rejection), f"seat {seat}: {move} is refused: {decision}"
        assert decision, "an accepted move has at least one event"
        self._apply(decision)
        return list(decision)

    def refused(self, seat: int, move: TrucoMove) -> str:
        """The code of a move that must be refused; it changes nothing."""
        before = fingerprint(self.state)
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert isinstance(decision, Rejection), f"seat {seat}: {move} is accepted: {decision}"
        assert fingerprint(self.state) == before
        return decision.code

    @property
    def trick(self) -> int:
        return len(self.state.tricks) + 1

    def card(self, card: str, *, covered: bool = False) -> PlayCard:
        return PlayCard(self.state.hand, self.trick, card=card, covered=covered)

    def play(self, seat: int, card: str, *, covered: bool = False) -> list[TrucoEvent]:
        return self.do(seat, self.card(card, covered=covered))

    def play_trick(self, plays: str) -> list[TrucoEvent]:
        """Plays `0:KC 1:KE 2:6C! 3:QO`; an exclamation mark covers the card. Gives the events of the last play."""
        events: list[TrucoEvent] = []
        for word in plays.split():
            seat, card = word.split(":")
            events = self.play(int(seat), card.rstrip("!"), covered=card.endswith("!"))
        return events

    def call(self, seat: int, value: int) -> list[TrucoEvent]:
        return self.do(seat, Raise(self.state.hand, value))

    def accept(self, seat: int) -> list[TrucoEvent]:
        assert self.state.pending is not None
        return self.do(seat, AcceptRaise(self.state.hand, self.state.pending.value))

    def fold(self, seat: int) -> list[TrucoEvent]:
        assert self.state.pending is not None
        return self.do(seat, Fold(self.state.hand, self.state.pending.value))

    def play_eleven_hand(self, seat: int) -> list[TrucoEvent]:
        return self.do(seat, PlayElevenHand(self.state.hand))

    def decline_eleven_hand(self, seat: int) -> list[TrucoEvent]:
        return self.do(seat, DeclineElevenHand(self.state.hand))

    def signal(self, seat: int, gesture: Gesture) -> list[TrucoEvent]:
        return self.do(seat, Signal(self.state.hand, gesture))

    def moves(self, seat: int) -> list[TrucoMove]:
        """What the seat may do but signal, which is always in time."""
        return list(self.consequences(seat))

    def consequences(self, seat: int) -> dict[TrucoMove, str]:
        listed = GAME.legal_moves(self.state, Seat(seat))
        return {legal.move: legal.consequence for legal in listed if not isinstance(legal.move, Signal)}


def _take(cards: Iterator[str], count: int) -> list[str]:
    return [next(cards) for _ in range(count)]


def only(events: Sequence[TrucoEvent], kind: type[Event]) -> Event:
    """The one event of this kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {events}"
    return found[0]


def hand_ended(events: Sequence[TrucoEvent]) -> tuple[int | None, int]:
    """The side that scores by these events, and its points."""
    ended = only(events, HandEnded)
    return ended.winner_side, ended.points


def winner_of(events: Sequence[TrucoEvent]) -> int:
    """The side that wins the match by these events."""
    return only(events, MatchEnded).winner_side


def fingerprint(state: State) -> bytes:
    """All of a state as bytes, to show that it has not changed."""
    return msgspec.json.encode(state, order="deterministic") + state_hash(GAME.facts(state))


class ChanceMatch:
    """A match in which every move is drawn from the legal ones, punished ones at times included.

    Six play by the rules of `truco@004`, four by those of `truco-paulista`, with some switches set.
    """

    def __init__(
        self, seed: str, switches: Mapping[str, str], score: tuple[int, int] = (0, 0), players: int = 4
    ) -> None:
        game = GAME if players == 4 else TRUCO_004
        self.seats = tuple(map(Seat, range(players)))
        self.seed = seed
        self.chance = random.Random(seed)
        self.draws = Draws(SECRET, seed)
        self.initial = msgspec.structs.replace(game.initial(game.rule_set(switches), players), score=score)
        self.state = self.initial
        self.log: list[TrucoEvent] = []
        self.apply(GAME.start(self.state, self.draws))

    def apply(self, events: Sequence[TrucoEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    def choose(self) -> tuple[Seat, TrucoMove]:
        """Who acts and how: mostly the awaited seat, sometimes anyone who may."""
        seats = [seat for seat in self.seats if GAME.legal_moves(self.state, seat)]
        awaited = GAME.awaited(self.state)
        assert awaited is not None
        seat = self.chance.choice(seats) if self.chance.random() < 0.2 else self.chance.choice(awaited.seats)
        listed = GAME.legal_moves(self.state, seat)
        harmless = [legal for legal in listed if not legal.consequence]
        reckless = self.chance.random() < 0.02 or not harmless
        return seat, self.chance.choice(listed if reckless else harmless).move

    def step(self) -> Sequence[TrucoEvent]:
        """Makes one move by chance and gives its events."""
        seat, move = self.choose()
        decision = GAME.decide(self.state, seat, move, self.draws)
        assert not isinstance(decision, Rejection), f"match {self.seed}: {seat} {move} is refused: {decision}"
        self.apply(decision)
        return decision


NAMES = {kind: name for name, kind in EVENT_TYPES.items()}


def stored(event: TrucoEvent) -> tuple[str, bytes]:
    """An event as the log keeps it: its registered name and its JSON."""
    return NAMES[type(event)], msgspec.json.encode(event)


def restored(name: str, payload: bytes) -> TrucoEvent:
    """An event as it is read from the log."""
    return msgspec.json.decode(payload, type=EVENT_TYPES[name])


def dealt(state: State) -> HandDealt:
    """The deal of the hand that a state is in, as an event."""
    return HandDealt(state.hand, state.dealer, state.leader, state.vira, state.dealt, state.value)
