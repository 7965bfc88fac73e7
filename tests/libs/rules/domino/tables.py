"""Tables of Dominó with arranged tiles, and matches played by chance: what the tests of this folder stand on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from libs.rules.canonical import state_hash
from libs.rules.domino.events import (
    EVENT_TYPES,
    DominoEvent,
    SeatPassed,
    TilePlayed,
)
from libs.rules.domino.game import DOMINO as GAME
from libs.rules.domino.moves import DominoMove, End, PlayTile
from libs.rules.domino.state import Deal, State, held_mask, held_tiles
from libs.rules.domino.tiles import ALL, NAMES, mask_of
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws

Event = TypeVar("Event")

SEATS = tuple(Seat(seat) for seat in range(4))
SECRET = bytes(range(32))
PER_SEAT = 7

SWITCH_VALUES: Mapping[str, tuple[str, ...]] = {"direction": ("cw", "ccw"), "card_seconds": ("20", "5")}
"""Every value of every switch; the first one is the default of `domino`."""


def tile(text: str) -> str:
    """The name of a tile that is written either way round."""
    return "-".join(sorted(text.split("-")))


class ArrangedDraws(Draws):
    """Deals round 1 as arranged; every later one is dealt by chance."""

    def __init__(self, order: Sequence[str]) -> None:
        super().__init__(SECRET, "arranged")
        self._order = list(order)

    def shuffled(self, label: str, items: Sequence[Any]) -> list[Any]:
        if label == "round-1":
            assert sorted(self._order) == sorted(items)
            return list(self._order)
        return super().shuffled(label, items)


def at_score(score: tuple[int, int], **switches: str) -> State:
    """A match before its first deal, at some score."""
    state = GAME.initial(GAME.rule_set(switches), 4)
    return msgspec.structs.replace(state, standing=msgspec.structs.replace(state.standing, score=score))


class Table:
    """A match with arranged tiles, and what a test does with it: from its first deal, or in the middle of a round.

    `hands` names some tiles by seat; without `ends` the rest is filled up and dealt for round 1. With `ends` the hands are
    just these, and all other tiles are taken to lie: `played` says by whom the last of them were played, and the round is
    the second one.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *,
        ends: tuple[int, int] | None = None,
        to_play: int = 0,
        played: Sequence[int] = (0, 1, 2, 3),
        score: tuple[int, int] = (0, 0),
        **switches: str,
    ) -> None:
        named = [tuple(map(tile, (hands or {}).get(seat, "").split())) for seat in SEATS]
        used = {name for held in named for name in held}
        spare = iter([name for name in NAMES if name not in used])
        full = [held + tuple(next(spare) for _ in range(PER_SEAT - len(held))) for held in named]
        self.draws = ArrangedDraws([name for held in full for name in held])
        self.log: list[DominoEvent] = []
        self.state = at_score(score, **switches)
        if ends is None:
            self._apply(GAME.start(self.state, self.draws))
            return
        unplayed = mask_of(tuple(used))
        lying = {seat: [name for name in full[seat] if name not in used] for seat in SEATS}
        plays = tuple(
            TilePlayed(2, place, seat, lying[seat].pop(), "left", ends, None)
            for place, seat in enumerate(played, 28 - len(used) - len(played) + 1)
        )
        self.state = msgspec.structs.replace(
            self.state,
            deal=Deal(2, played[0], None, tuple(full), tuple(map(mask_of, full))),
            turn=28 - len(used) + 1,
            unplayed=unplayed,
            ends=ends,
            to_play=to_play,
            plays=plays,
        )

    def _apply(self, events: Sequence[DominoEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)
            conserved(self.state)

    def move(self, name: str, end: End | None = None) -> PlayTile:
        return PlayTile(self.state.deal.round, self.state.turn, tile(name), end)

    def play(self, seat: int, name: str, end: End | None = None) -> list[DominoEvent]:
        """Plays a tile, which must be accepted, and gives the events."""
        decision = GAME.decide(self.state, Seat(seat), self.move(name, end), self.draws)
        assert not isinstance(decision, Rejection), f"seat {seat}: {name} {end} is refused: {decision}"
        self._apply(decision)
        return list(decision)

    def play_automatically(self) -> list[DominoEvent]:
        """What the server does when the time of the awaited seat is up."""
        awaited = GAME.awaited(self.state)
        assert awaited is not None
        seat = awaited.seats[0]
        decision = GAME.decide(self.state, seat, GAME.automatic_move(self.state, seat), self.draws)
        assert not isinstance(decision, Rejection)
        self._apply(decision)
        return list(decision)

    def refused(self, seat: int, move: DominoMove) -> str:
        """The code of a move that must be refused; it changes nothing."""
        before = fingerprint(self.state)
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert isinstance(decision, Rejection), f"seat {seat}: {move} is accepted: {decision}"
        assert fingerprint(self.state) == before
        return decision.code

    def choices(self, seat: int) -> list[tuple[str, str | None]]:
        """What the seat may do: tiles and ends."""
        return [(item.move.tile, item.move.end) for item in GAME.legal_moves(self.state, Seat(seat))]


def only(events: Sequence[DominoEvent], kind: type[Event]) -> Event:
    """The one event of this kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {events}"
    return found[0]


def passes(events: Sequence[DominoEvent]) -> list[int]:
    """The seats that passed by these events."""
    return [event.seat for event in events if isinstance(event, SeatPassed)]


def conserved(state: State) -> None:
    """All 28 tiles are somewhere, each once: in a hand as dealt, or on the table."""
    deal = state.deal
    assert sorted(name for tiles in deal.tiles for name in tiles) == sorted(NAMES)
    assert sum(deal.masks) == ALL
    assert all(mask_of(tiles) == mask for tiles, mask in zip(deal.tiles, deal.masks, strict=True))
    lying = [play.tile for play in state.plays]
    held = [name for seat in SEATS for name in held_tiles(state, seat)]
    assert len(set(lying)) == len(lying)
    assert not set(lying) & set(held)
    assert mask_of(tuple(held)) == state.unplayed
    assert sum(held_mask(state, seat) for seat in SEATS) == state.unplayed


def fingerprint(state: State) -> bytes:
    """All of a state as bytes, to show that it has not changed."""
    return msgspec.json.encode(state, order="deterministic") + state_hash(GAME.facts(state))


class ChanceMatch:
    """A match in which every move is drawn from the legal ones."""

    def __init__(self, seed: str, score: tuple[int, int] = (0, 0)) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.draws = Draws(SECRET, seed)
        self.initial = at_score(score)
        self.state = self.initial
        self.log: list[DominoEvent] = []
        self.apply(GAME.start(self.state, self.draws))

    def apply(self, events: Sequence[DominoEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    @property
    def is_over(self) -> bool:
        return GAME.awaited(self.state) is None

    def step(self) -> Sequence[DominoEvent]:
        """Makes one move by chance and gives its events."""
        seat = self.state.to_play
        assert seat is not None
        move = self.chance.choice(GAME.legal_moves(self.state, Seat(seat))).move
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert not isinstance(decision, Rejection), f"match {self.seed}: {seat} {move} is refused: {decision}"
        self.apply(decision)
        return decision

    def play(self) -> ChanceMatch:
        """To the end."""
        while not self.is_over:
            self.step()
        return self


NAMES_OF_TYPES = {kind: name for name, kind in EVENT_TYPES.items()}


def stored(event: DominoEvent) -> tuple[str, bytes]:
    """An event as the log keeps it: its registered name and its JSON."""
    return NAMES_OF_TYPES[type(event)], msgspec.json.encode(event)


def restored(name: str, payload: bytes) -> DominoEvent:
    """An event as it is read from the log."""
    return msgspec.json.decode(payload, type=EVENT_TYPES[name])
