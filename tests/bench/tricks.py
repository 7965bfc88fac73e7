"""An aggregate for measuring the log alone: a card is played, one event a command, with a deadline and a state hash.

As small as a decider can be, so that what is measured is the log and its runtime. The peers store the same fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from libs.eventlog.decision import decide, hash_body
from libs.eventlog.registry import EventRegistry
from libs.eventlog.store import AppendCommand
from libs.eventlog.streams import stream_id

EVENTS_A_STREAM = 300
"""Events of a whole stream; then another one begins. Also the length of the streams that are rebuilt."""

_LIMIT = timedelta(seconds=20)
_CARDS = ("4C", "7H", "AS", "7D", "QH", "JD", "KS")


class PlayCard(msgspec.Struct, frozen=True):
    """The one command."""

    seat: int
    card: str


class CardPlayed(msgspec.Struct, frozen=True):
    """The one event."""

    seat: int
    card: str
    due_at: datetime


class Trick(msgspec.Struct, frozen=True):
    """The state."""

    played: int = 0
    last: str = ""
    due_at: datetime | None = None


class TrickDecider:
    """See `Decider`."""

    category = "trick"

    def initial(self) -> Trick:
        """Nothing played."""
        return Trick()

    def decide(self, state: Trick, command: Command[PlayCard]) -> Sequence[CardPlayed] | Rejection:
        """Any seat of four may play any card."""
        if not 0 <= command.body.seat < 4:
            return Rejection("NO_SUCH_SEAT")
        return (CardPlayed(command.body.seat, command.body.card, command.at + _LIMIT),)

    def evolve(self, state: Trick, event: CardPlayed) -> Trick:
        """One more is played."""
        return Trick(state.played + 1, event.card, event.due_at)

    def deadlines(self, state: Trick) -> Sequence[Deadline]:
        """Twenty seconds a card."""
        return () if state.due_at is None else (Deadline(state.due_at, PlayCard(0, state.last)),)

    def is_ended(self, state: Trick) -> bool:
        """Never."""
        return False

    def state_hash(self, state: Trick) -> bytes:
        """Of the count and the card."""
        return blake2b(b"%d %b" % (state.played, state.last.encode()), digest_size=16).digest()

    def view(self, state: Trick, viewer: object) -> Trick:
        """Everything."""
        return state

    def observe(self, event: CardPlayed, before: Trick, after: Trick, viewer: object) -> CardPlayed:
        """Everything."""
        return event

    def publish(self, event: CardPlayed, before: Trick, after: Trick) -> PublicMessage | None:
        """Nothing."""
        return None


TRICK = TrickDecider()
REGISTRY: EventRegistry[CardPlayed] = EventRegistry()
REGISTRY.register("card_played", CardPlayed)


def play(number: int) -> PlayCard:
    """The command that comes at a place of a stream."""
    return PlayCard(number % 4, _CARDS[number % len(_CARDS)])


def appends(name: str) -> Iterator[AppendCommand]:
    """What the runtime appends of one stream after another, for ever; `name` tells whose they are."""
    at = datetime.now(UTC)
    generation = 0
    while True:
        stream, state = stream_id(TRICK.category, f"{name}.{generation}"), TRICK.initial()
        for number in range(EVENTS_A_STREAM):
            body = play(number)
            command = Command(f"{name}.{generation}.{number}".ljust(36, "-"), "player:ana", at, body)
            decided = decide(TRICK, REGISTRY, stream, state, number, command, hash_body(body))
            assert not isinstance(decided, Rejection), "every command of the load is legal"
            state = decided.steps[-1].after
            yield decided.append
        generation += 1
