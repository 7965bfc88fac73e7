"""A table of Sueca with arranged cards, and what a test does with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from libs.rules.canonical import state_hash
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from libs.rules.sueca.cards import PACK, POINTS, STRENGTHS, mask_of
from libs.rules.sueca.deal import dealt_hand
from libs.rules.sueca.events import EVENT_TYPES, HandDealt, SuecaEvent
from libs.rules.sueca.game import SUECA as GAME
from libs.rules.sueca.moves import PlayCard
from libs.rules.sueca.state import Deal, State, Trick

Event = TypeVar("Event", bound=SuecaEvent)

SECRET = bytes(range(32))
NAMES = {kind: name for name, kind in EVENT_TYPES.items()}


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
    """One hand with arranged cards.

    `hands` names some cards by seat; the rest are filled up from the pack, the weak ones first. `trump` is the fortieth
    card, the dealer's. Seat 0 leads and seat 3 deals unless told otherwise.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *,
        trump: str = "2E",
        score: tuple[int, int] = (0, 0),
        carry: int = 0,
        dealer: int = 3,
        **switches: str,
    ) -> None:
        named = {seat: (hands or {}).get(seat, "").split() for seat in range(4)}
        if trump in named[dealer]:
            named[dealer].remove(trump)
        used = {trump, *(card for cards in named.values() for card in cards)}
        spare = iter(sorted((card for card in PACK if card not in used), key=STRENGTHS.__getitem__))
        pack: list[str] = []
        for step in range(1, 5):
            seat = (dealer + step) % 4
            room = 10 - len(named[seat]) - (seat == dealer)
            pack += [*named[seat], *_take(spare, room)]
        self.draws = ArrangedDraws([*pack, trump])
        self.log: list[SuecaEvent] = []
        self.state = State(Deal(GAME.rule_set(switches), score, carry))
        self.apply([dealt_hand(self.draws, hand=1, dealer=dealer)])

    def apply(self, events: Sequence[SuecaEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    def do(self, seat: int, move: PlayCard) -> list[SuecaEvent]:
        """Makes a move that must be accepted, and gives its events."""
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert not isinstance(decision, Rejection), f"seat {seat}: {move} is refused: {decision}"
        self.apply(decision)
        return list(decision)

    def refused(self, seat: int, move: PlayCard) -> str:
        """The code of a move that must be refused; it changes nothing."""
        before = fingerprint(self.state)
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert isinstance(decision, Rejection), f"seat {seat}: {move} is accepted: {decision}"
        assert fingerprint(self.state) == before
        return decision.code

    def card(self, card: str) -> PlayCard:
        return PlayCard(self.state.deal.hand, self.state.trick, card)

    def play(self, plays: str) -> list[SuecaEvent]:
        """Plays `0:KC 1:7C`; gives the events of the last card."""
        events: list[SuecaEvent] = []
        for word in plays.split():
            seat, card = word.split(":")
            events = self.do(int(seat), self.card(card))
        return events

    def cards_of(self, seat: int) -> list[str]:
        """The cards that the seat may play now."""
        return [legal.move.card for legal in GAME.legal_moves(self.state, Seat(seat))]


class LastTrick(Table):
    """A table before the last trick of its hand: each seat has one card, seat 0 leads, and the winners of the nine tricks
    and the points of side 0 so far are as told.
    """

    def __init__(self, cards: str, *, won: Sequence[int], points: int, **table: Any) -> None:
        lasts = cards.split()
        trump = table.pop("trump", lasts[3])
        super().__init__(dict(enumerate(lasts)), trump=trump, **table)
        rest = 120 - points - sum(POINTS[card] for card in lasts)
        given = {0: points, 1: rest}
        tricks = tuple([Trick(0, (), seat, given.pop(seat % 2, 0)) for seat in won])
        assert all(left == 0 for left in given.values()), "who has points has won a trick"
        self.state = msgspec.structs.replace(
            self.state, turn=self.state.deal.turns[10][0], unplayed=mask_of(tuple(lasts)), tricks=tricks
        )
        self.lasts = " ".join(f"{seat}:{card}" for seat, card in enumerate(lasts))

    def finish(self) -> list[SuecaEvent]:
        """Plays the last trick; gives the events of its last card."""
        return self.play(self.lasts)


def _take(cards: Iterator[str], count: int) -> list[str]:
    return [next(cards) for _ in range(count)]


def only(events: Sequence[SuecaEvent], kind: type[Event]) -> Event:
    """The one event of this kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {events}"
    return found[0]


def fingerprint(state: State) -> bytes:
    """All of a state as bytes, to show that it has not changed."""
    return msgspec.json.encode(state, order="deterministic") + state_hash(GAME.facts(state))


def replayed(initial: State, events: Sequence[SuecaEvent]) -> State:
    """The state after the events as they are stored: their names and JSON."""
    state = initial
    for event in events:
        payload = msgspec.json.encode(event)
        again = msgspec.json.decode(payload, type=EVENT_TYPES[NAMES[type(event)]])
        assert again == event
        state = GAME.evolve(state, again)
    return state


def dealt(events: Sequence[SuecaEvent]) -> HandDealt:
    """The deal among these events."""
    return only(events, HandDealt)
