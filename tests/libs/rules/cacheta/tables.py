"""Tables of Cacheta with arranged cards, and matches played by robots: what the tests of this folder stand on."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from libs.rules.cacheta.cards import PACK
from libs.rules.cacheta.events import EVENT_TYPES, CachetaEvent, RoundDealt
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    CachetaMove,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.cacheta.robots import ROBOTS
from libs.rules.cacheta.state import State
from libs.rules.canonical import state_hash
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws

Event = TypeVar("Event")

SEATS = tuple(Seat(seat) for seat in range(4))
SECRET = bytes(range(32))
HAND = 9

SWITCH_VALUES: Mapping[str, tuple[str, ...]] = {
    "cacheta_max_wilds": ("none", "1", "2"),
    "four_suit_set": ("false", "true"),
    "jump_window_seconds": ("5", "2"),
    "empty_stock": ("reshuffle", "void"),
    "direction": ("cw", "ccw"),
    "draw_seconds": ("30", "5"),
    "play_seconds": ("60", "5"),
}
"""Every value of every switch; the first one is the default of `cacheta`."""

OUT_OF_NINE = "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa JOa QOa KOa"
"""Nine cards that fit: with any tenth card one goes out, and discards it if it does not fit too."""

NA_BOA = "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa JOa QOa 4Eb"
"""Eight cards that fit but for one, and a stray: KO (or 10O) goes out with nine."""


class ArrangedDraws(Draws):
    """Deals round 1 as arranged, and keeps the discard pile's order in a reshuffle; all else is by chance."""

    def __init__(self, pack: Sequence[str], starter: int) -> None:
        super().__init__(SECRET, "arranged")
        self._pack = list(pack)
        self._starter = starter

    def below(self, label: str, bound: int) -> int:
        return self._starter if label == "starter" else super().below(label, bound)

    def shuffled(self, label: str, items: Sequence[Any]) -> list[Any]:
        if label == "round-1":
            assert sorted(self._pack) == sorted(items)
            return list(self._pack)
        return list(items) if label.startswith("reshuffle-") else super().shuffled(label, items)


class Table:
    """A round with arranged cards, and what a test does with it.

    `hands` names cards by seat and `stock` the first cards of the stock; what is missing is filled up by a fixed chance.
    Seat 0 starts unless told otherwise. A card is written as a code, or as a face where any copy will do: "7C", "10O".
    """

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *,
        vira: str = "TEa",
        stock: str = "",
        starter: int = 0,
        points: tuple[int, ...] = (10, 10, 10, 10),
        voids: int = 0,
        **switches: str,
    ) -> None:
        free = Counter(PACK)
        turned = _take(free, vira)
        named = {seat: [_take(free, card) for card in (hands or {}).get(seat, "").split()] for seat in SEATS}
        top = [_take(free, card) for card in stock.split()]
        spare = [card for card in PACK if free[card]]
        random.Random("spare").shuffle(spare)
        pack: list[str] = []
        for step in range(4):
            seat = (starter + step) % 4
            if points[seat]:
                pack += [*named[seat], *(spare.pop() for _ in range(HAND - len(named[seat])))]
        self.draws = ArrangedDraws([*pack, turned, *top, *spare], starter)
        rules = GAME.rule_set(switches)
        self.log: list[CachetaEvent] = []
        self.state: State = msgspec.structs.replace(GAME.initial(rules, 4), points=points, voids=voids)
        self.apply(GAME.start(self.state, self.draws))

    def apply(self, events: Sequence[CachetaEvent]) -> None:
        """Folds events into the state."""
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    def move(self, seat: int, move: CachetaMove) -> Sequence[CachetaEvent]:
        """Makes a move that must be accepted."""
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert not isinstance(decision, Rejection), (seat, move, decision)
        self.apply(decision)
        return decision

    def refused(self, seat: int, move: CachetaMove) -> str:
        """The code with which a move is refused; it must change nothing."""
        before = fingerprint(self.state)
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert isinstance(decision, Rejection), (seat, move, decision)
        assert fingerprint(self.state) == before
        return decision.code

    @property
    def at(self) -> tuple[int, int]:
        """The round and the turn."""
        return self.state.round, self.state.turn

    def draw(self, seat: int) -> Sequence[CachetaEvent]:
        return self.move(seat, DrawStock(*self.at))

    def take(self, seat: int) -> Sequence[CachetaEvent]:
        return self.move(seat, TakeDiscard(*self.at))

    def discard(self, seat: int, card: str) -> Sequence[CachetaEvent]:
        return self.move(seat, Discard(*self.at, self.held(seat, card)))

    def out(self, seat: int, card: str | None = None) -> Sequence[CachetaEvent]:
        return self.move(seat, GoOut(*self.at, None if card is None else self.held(seat, card)))

    def announce(self, *seats: int) -> None:
        for seat in seats:
            self.move(seat, AnnounceNaBoa(self.state.round))

    def jump(self, seat: int) -> Sequence[CachetaEvent]:
        return self.move(seat, JumpQueue(*self.at))

    def pass_jump(self, seat: int) -> Sequence[CachetaEvent]:
        return self.move(seat, PassJump(*self.at))

    def turn(self, seat: int, discard: str | None = None) -> Sequence[CachetaEvent]:
        """A whole turn: draws from the stock, then discards this card, or the drawn one."""
        self.draw(seat)
        return self.discard(seat, discard or self.state.hands[seat][-1])

    def held(self, seat: int, card: str) -> str:
        """The code of a card that the seat holds, or of one that it does not hold as it was written."""
        code = card.replace("10", "T")
        return next((held for held in self.state.hands[seat] if held.startswith(code)), code)

    def legal(self, seat: int) -> dict[CachetaMove, str]:
        """The listed moves with their consequences."""
        return {item.move: item.consequence for item in GAME.legal_moves(self.state, Seat(seat))}


def _take(free: Counter[str], card: str) -> str:
    code = card.replace("10", "T")
    found = next(
        (whole for whole in ((code,) if len(code) == 3 else (code + "a", code + "b")) if free[whole]), None
    )
    assert found is not None, f"{card} is dealt already"
    free[found] -= 1
    return found


def cards(text: str) -> tuple[str, ...]:
    """Codes of cards that are written as faces: the first copy, then the second."""
    free = Counter(PACK)
    return tuple(_take(free, card) for card in text.split())


def only(events: Sequence[CachetaEvent], kind: type[Event]) -> Event:
    """The one event of this type."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, events
    return found[0]


def conserved(state: State) -> None:
    """Each of the 104 cards lies in exactly one place."""
    if state.round == 0:
        return
    laid = [card for meld in state.laid for card in meld]
    held = [card for hand in state.hands for card in hand]
    assert sorted([*state.stock, *state.discards, state.vira, *held, *laid]) == sorted(PACK)


def fingerprint(state: State) -> bytes:
    """All of a state as bytes, to show that it has not changed."""
    return msgspec.json.encode(state, order="deterministic") + state_hash(GAME.facts(state))


def stored(event: CachetaEvent) -> tuple[str, bytes]:
    """An event as the log holds it."""
    name = next(name for name, kind in EVENT_TYPES.items() if kind is type(event))
    return name, msgspec.json.encode(event)


def restored(name: str, payload: bytes) -> CachetaEvent:
    """The event that the log holds."""
    return msgspec.json.decode(payload, type=EVENT_TYPES[name])


def rounds(log: Sequence[CachetaEvent]) -> int:
    """How many rounds were dealt."""
    return sum(isinstance(event, RoundDealt) for event in log)


class RobotsMatch:
    """A match that is being played by robots, from their seats' views alone; `log` holds its events."""

    def __init__(
        self,
        seed: str,
        switches: Mapping[str, str] | None = None,
        points: tuple[int, ...] = (10, 10, 10, 10),
        robots: Sequence[str] = ("simple", "simple", "greedy", "greedy"),
        blunders: float = 0.02,
    ) -> None:
        self.blunders = blunders
        self.chance = random.Random(seed)
        self.draws = Draws(hashlib.sha256(seed.encode()).digest(), seed)
        self.robots = [ROBOTS[name] for name in robots]
        self.initial = msgspec.structs.replace(GAME.initial(GAME.rule_set(switches or {}), 4), points=points)
        self.state = self.initial
        self.log: list[CachetaEvent] = []
        self.apply(GAME.start(self.state, self.draws))

    def apply(self, events: Sequence[CachetaEvent]) -> None:
        """Folds events into the state."""
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    def step(self) -> Sequence[CachetaEvent]:
        """One move of an awaited seat; as often as `blunders` says, of chance in place of its robot. Gives its events."""
        awaited = GAME.awaited(self.state)
        assert awaited is not None
        seat = self.chance.choice(awaited.seats)
        robot = ROBOTS["random"] if self.chance.random() < self.blunders else self.robots[seat]
        move = robot(GAME.view(self.state, seat), self.chance)
        events = GAME.decide(self.state, seat, move, self.draws)
        assert not isinstance(events, Rejection), (seat, move, events)
        self.apply(events)
        return events

    @property
    def is_over(self) -> bool:
        """Whether nothing is awaited any more."""
        return GAME.awaited(self.state) is None


def robots_match(
    seed: str, switches: Mapping[str, str] | None = None, points: tuple[int, ...] = (10, 10, 10, 10)
) -> RobotsMatch:
    """A whole match of robots."""
    match = RobotsMatch(seed, switches, points)
    while not match.is_over:
        match.step()
    return match
