"""Tables of Mau Mau with arranged cards, and matches played by chance: what the tests of this folder stand on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from libs.rules.canonical import state_hash
from libs.rules.game import Rejection, Seat
from libs.rules.mau_mau.cards import PACK, RANK, SUIT, Suit
from libs.rules.mau_mau.events import EVENT_TYPES, MauMauEvent
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import Accuse, DrawAndGo, DrawCard, MauMauMove, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.state import State
from libs.rules.shuffle import Draws

Event = TypeVar("Event")

SECRET = bytes(range(32))
PLAYERS = (4, 5, 6, 7, 8)
PLAIN = ("2", "3", "4", "5", "6", "8", "10", "K")
"""The ranks without an effect."""

SWITCH_VALUES: Mapping[str, tuple[str, ...]] = {
    "draw_rule": ("one", "until_playable"),
    "call": ("false", "true"),
    "first_card": ("as_discard", "neutral"),
    "direction": ("cw", "ccw"),
    "card_seconds": ("20", "5"),
}
"""Every value of every switch; the first one is the default."""


class ArrangedDraws(Draws):
    """Deals as arranged; the pile is shuffled by chance."""

    def __init__(self, dealer: int, order: Sequence[str]) -> None:
        super().__init__(SECRET, "arranged")
        self._dealer = dealer
        self._order = list(order)

    def below(self, label: str, bound: int) -> int:
        return self._dealer if label == "dealer" else super().below(label, bound)

    def shuffled(self, label: str, items: Sequence[Any]) -> list[Any]:
        if label == "deal":
            assert sorted(self._order) == sorted(items)
            return list(self._order)
        return super().shuffled(label, items)


class Table:
    """A match with arranged cards, and what a test does with it.

    With `turned` it is dealt by `dealer`. Else it is in the middle of play: `top` lies on `pile`, `hands` are just these
    (of two cards where nothing is said; `.` is some plain card), the stock begins with `stock`. What is named nowhere lies in the stock;
    with `rest` it is held by that seat instead.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *,
        top: str = "4O",
        suit: Suit | None = None,
        stock: str = "",
        pile: str = "",
        to_play: int = 0,
        step: int = 1,
        penalty: int = 0,
        turn: int = 10,
        rest: int | None = None,
        players: int = 4,
        turned: str = "",
        dealer: int = 0,
        **switches: str,
    ) -> None:
        self.log: list[MauMauEvent] = []
        # Two seats are at no table (M-06); the rules do not mind.
        self.state = State(GAME.rule_set(switches), players)
        if turned:
            spare = list((Counter(PACK) - Counter([turned])).elements())
            dealt = [*spare[: 5 * players], turned, *spare[5 * players :]]
            self.draws = ArrangedDraws(dealer, dealt)
            self._apply(GAME.start(self.state, self.draws))
            return
        self.draws = ArrangedDraws(dealer, PACK)
        named = {seat: text.split() for seat, text in (hands or {}).items()}
        lying, first = [*pile.split(), top], stock.split()
        spare_counts = Counter(PACK)
        for card in [*lying, *first, *(card for cards in named.values() for card in cards if card != ".")]:
            spare_counts[card] -= 1
            assert spare_counts[card] >= 0, f"there are but two {card}"
        for seat in range(players):
            named.setdefault(seat, [".", "."])
            for place, card in enumerate(named[seat]):
                if card == ".":
                    named[seat][place] = next(
                        other
                        for other in PACK
                        if RANK[other] in PLAIN and spare_counts[other] and SUIT[other] != SUIT[top]
                    )
                    spare_counts[named[seat][place]] -= 1
        left = list(spare_counts.elements())
        if rest is not None:
            named[rest] += left
            left = []
        self.state = msgspec.structs.replace(
            self.state,
            turn=turn,
            hands=tuple(tuple(named[seat]) for seat in range(players)),
            stock=(*first, *left),
            pile=tuple(lying),
            suit=suit or SUIT[top],
            step=step,
            penalty=penalty,
            to_play=to_play,
        )
        conserved(self.state)

    def _apply(self, events: Sequence[MauMauEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)
            conserved(self.state)

    def do(self, seat: int, move: MauMauMove) -> list[MauMauEvent]:
        """Makes a move that must be accepted, and gives its events."""
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert not isinstance(decision, Rejection), f"seat {seat}: {move} is refused: {decision}"
        assert decision, "an accepted move has at least one event"
        self._apply(decision)
        return list(decision)

    def refused(self, seat: int, move: MauMauMove) -> str:
        """The code of a move that must be refused; it changes nothing."""
        before = fingerprint(self.state)
        decision = GAME.decide(self.state, Seat(seat), move, self.draws)
        assert isinstance(decision, Rejection), f"seat {seat}: {move} is accepted: {decision}"
        assert fingerprint(self.state) == before
        return decision.code

    def card(self, card: str, suit: Suit | None = None, *, call: bool = False) -> PlayCard:
        return PlayCard(self.state.turn, card, suit, call)

    def play(
        self, seat: int, card: str, suit: Suit | None = None, *, call: bool = False
    ) -> list[MauMauEvent]:
        return self.do(seat, self.card(card, suit, call=call))

    def draw(self, seat: int) -> list[MauMauEvent]:
        return self.do(seat, DrawCard(self.state.turn))

    def draw_and_go(self, seat: int) -> list[MauMauEvent]:
        return self.do(seat, DrawAndGo(self.state.turn))

    def take(self, seat: int) -> list[MauMauEvent]:
        return self.do(seat, TakePenalty(self.state.turn))

    def pass_turn(self, seat: int) -> list[MauMauEvent]:
        return self.do(seat, Pass(self.state.turn))

    def accuse(self, seat: int, other: int) -> list[MauMauEvent]:
        return self.do(seat, Accuse(self.state.turn, other))

    def automatically(self) -> list[MauMauEvent]:
        """What the server does when the time of the awaited seat is up."""
        seat = self.state.to_play
        assert seat is not None
        return self.do(seat, GAME.automatic_move(self.state, Seat(seat)))

    def may(self, seat: int) -> list[str]:
        """What the seat may do, in short: `5C`, `JC:E`, `draw`, `go`, `take`, `pass`; calls and accusations left out."""
        said = [_short(item.move) for item in GAME.legal_moves(self.state, Seat(seat))]
        return [word for word in said if word]

    @property
    def counts(self) -> list[int]:
        """How many cards each seat has."""
        return [len(hand) for hand in self.state.hands]


def _short(move: MauMauMove) -> str:
    match move:
        case PlayCard(call=False):
            return f"{move.card}:{move.suit}" if move.suit else move.card
        case DrawCard():
            return "draw"
        case DrawAndGo():
            return "go"
        case TakePenalty():
            return "take"
        case Pass():
            return "pass"
        case _:
            return ""


def only(events: Sequence[MauMauEvent], kind: type[Event]) -> Event:
    """The one event of this kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {events}"
    return found[0]


def conserved(state: State) -> None:
    """All 104 cards are somewhere, each of the twins once."""
    lying = [*state.stock, *state.pile, *(card for hand in state.hands for card in hand)]
    assert Counter(lying) == Counter(PACK)


def fingerprint(state: State) -> bytes:
    """All of a state as bytes, to show that it has not changed."""
    return msgspec.json.encode(state, order="deterministic") + state_hash(GAME.facts(state))


NAMES_OF_TYPES = {kind: name for name, kind in EVENT_TYPES.items()}


def stored(event: MauMauEvent) -> tuple[str, bytes]:
    """An event as the log keeps it: its registered name and its JSON."""
    return NAMES_OF_TYPES[type(event)], msgspec.json.encode(event)


def restored(name: str, payload: bytes) -> MauMauEvent:
    """An event as it is read from the log."""
    return msgspec.json.decode(payload, type=EVENT_TYPES[name])
