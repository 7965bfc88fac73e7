"""Tables of the family with arranged cards, and matches played by chance: what the tests of this folder stand on."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from libs.rules.buraco.cards import JOKERS, PACKS, pack
from libs.rules.buraco.events import BuracoEvent, DealEnded, MatchEnded, SideScore
from libs.rules.buraco.game import Buraco
from libs.rules.buraco.melds import judge
from libs.rules.buraco.moves import (
    BuracoMove,
    Discard,
    DrawStock,
    EndTurn,
    ExtendMeld,
    LayMeld,
    TakeLixo,
)
from libs.rules.buraco.presets import BURACO_FAMILY
from libs.rules.buraco.state import Meld, State
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws

Event = TypeVar("Event")

PRESETS: Mapping[str, Buraco] = {preset.preset: preset for preset in BURACO_FAMILY}
VARIANTS = [(name, players) for name in PRESETS for players in PRESETS[name].player_counts]
MOST_MOVES = 20_000


class Cards:
    """Physical cards handed out by face: `7E` is any copy that is left, `7Eb` that one."""

    def __init__(self, jokers: int) -> None:
        self._left = dict.fromkeys(pack(jokers))

    def take(self, words: str) -> tuple[str, ...]:
        return tuple([self._one(word) for word in words.split()])

    def _one(self, word: str) -> str:
        copies = [word] if len(word) == 3 else [word + letter for letter in (PACKS, "abcd")[word == "JK"]]
        card = next((copy for copy in copies if copy in self._left), None)
        assert card is not None, f"no {word} is left"
        del self._left[card]
        return card

    def fill(self, count: int) -> tuple[str, ...]:
        """So many of the rest, no threes, no wilds and no neighbours where it can be helped."""
        spare = [card for card in self._left if card[0] not in "23" and card not in JOKERS]
        spare.sort(key=lambda card: (card[2], "9KT5A7QJ468".index(card[0])))
        assert len(spare) >= count
        for card in spare[:count]:
            del self._left[card]
        return tuple(spare[:count])


class Table:
    """A moment of a deal with arranged cards, and what a test does with it.

    `hands` names hands by seat, the others hold `held` cards; `melds` are (side, faces); `stock` and `mortos` name cards
    or say how many there are; `lixo_is` sets the switch `lixo`. It is seat 0's turn, after its draw unless `phase` says otherwise. Cards that are not
    mentioned are not in play.
    """

    def __init__(
        self,
        preset: str = "buraco-aberto",
        hands: Mapping[int, str] | None = None,
        *,
        melds: Sequence[tuple[int, str]] = (),
        lixo: str = "",
        stock: str | int = 6,
        mortos: Sequence[str] | int = 2,
        takers: tuple[int | None, int | None] = (None, None),
        phase: str = "play",
        players: int = 4,
        held: int = 3,
        score: tuple[int, int] = (0, 0),
        mortos_turned: int = 0,
        idle_turns: int = 0,
        lixo_is: str | None = None,
        **switches: str,
    ) -> None:
        self.game = PRESETS[preset]
        rules = self.game.rule_set(switches if lixo_is is None else {**switches, "lixo": lixo_is})
        cards = Cards(rules.jokers)
        named = {seat: cards.take(words) for seat, words in (hands or {}).items()}
        on_table = []
        for number, (side, words) in enumerate(melds):
            shape = judge(rules, cards.take(words))
            assert shape is not None, f"{words} is no meld"
            on_table.append(Meld(number, side, shape))
        discarded = cards.take(lixo)
        drawn = cards.take(stock) if isinstance(stock, str) else None
        put_aside = () if isinstance(mortos, int) else tuple(map(cards.take, mortos))
        self.draws = Draws(bytes(32), "arranged")
        self.state = State(
            rules,
            players,
            score=score,
            deal=1,
            turn=7,
            phase=phase,  # type: ignore[arg-type]  # a phase as text
            hands=tuple([named.get(seat, ()) or cards.fill(held) for seat in range(players)]),
            stock=cards.fill(stock) if isinstance(stock, int) else drawn or (),
            mortos=tuple([cards.fill(11) for _ in range(mortos)]) if isinstance(mortos, int) else put_aside,
            lixo=discarded,
            melds=tuple(on_table),
            takers=takers,
            mortos_turned=mortos_turned,
            idle_turns=idle_turns,
        )
        self.log: list[BuracoEvent] = []

    # What a seat does -------------------------------------------------------------------------------------------------

    def do(self, seat: int, move: BuracoMove) -> list[BuracoEvent]:
        """Makes a move that must be accepted, and gives its events."""
        before = cards_of(self.state)
        decision = self.game.decide(self.state, Seat(seat), move, self.draws)
        assert not isinstance(decision, Rejection), f"seat {seat}: {move} is refused: {decision}"
        assert decision, "an accepted move has at least one event"
        for event in decision:
            self.state = self.game.evolve(self.state, event)
            self.log.append(event)
        if not any(isinstance(event, DealEnded) for event in decision):
            assert sorted(cards_of(self.state)) == sorted(before)
        return list(decision)

    def code(self, seat: int, move: BuracoMove) -> str:
        """The code of a move that must be refused; it changes nothing."""
        before = msgspec.json.encode(self.state)
        decision = self.game.decide(self.state, Seat(seat), move, self.draws)
        assert isinstance(decision, Rejection), f"seat {seat}: {move} is accepted: {decision}"
        assert msgspec.json.encode(self.state) == before
        return decision.code

    def cards(self, seat: int, words: str) -> tuple[str, ...]:
        """Cards of this seat's hand by face."""
        left = list(self.state.hands[seat])
        found = []
        for word in words.split():
            card = next((card for card in left if card.startswith(word)), word.ljust(3, "a"))
            if card in left:
                left.remove(card)
            found.append(card)
        return tuple(found)

    def drawing(self) -> DrawStock:
        return DrawStock(self.state.turn)

    def taking(self, seat: int = 0, words: str = "", meld: int | None = None) -> TakeLixo:
        return TakeLixo(self.state.turn, self.cards(seat, words), meld)

    def laying(self, seat: int, words: str) -> LayMeld:
        return LayMeld(self.state.turn, self.cards(seat, words))

    def adding(self, seat: int, meld: int, words: str) -> ExtendMeld:
        return ExtendMeld(self.state.turn, meld, self.cards(seat, words))

    def discarding(self, seat: int, word: str) -> Discard:
        return Discard(self.state.turn, self.cards(seat, word)[0])

    def draw(self, seat: int = 0) -> list[BuracoEvent]:
        return self.do(seat, self.drawing())

    def take(self, seat: int = 0, words: str = "", meld: int | None = None) -> list[BuracoEvent]:
        return self.do(seat, self.taking(seat, words, meld))

    def lay(self, seat: int, words: str) -> list[BuracoEvent]:
        return self.do(seat, self.laying(seat, words))

    def add(self, seat: int, meld: int, words: str) -> list[BuracoEvent]:
        return self.do(seat, self.adding(seat, meld, words))

    def discard(self, seat: int, word: str) -> list[BuracoEvent]:
        return self.do(seat, self.discarding(seat, word))

    def end_turn(self, seat: int = 0) -> list[BuracoEvent]:
        return self.do(seat, EndTurn(self.state.turn))

    def draw_and_discard(self, *seats: int) -> None:
        """Whole turns in which a card is drawn and thrown."""
        for seat in seats:
            self.draw(seat)
            self.do(seat, Discard(self.state.turn, self.state.hands[seat][-1]))

    # What a test looks at ---------------------------------------------------------------------------------------------

    def hand(self, seat: int) -> str:
        """The faces of a hand."""
        return " ".join(card[:2] for card in self.state.hands[seat])

    @property
    def lixo(self) -> str:
        return " ".join(card[:2] for card in self.state.lixo)

    def points(self, side: int) -> SideScore:
        assert self.state.scored is not None, "no deal has ended"
        return self.state.scored[side]

    @property
    def is_over(self) -> bool:
        return self.state.phase == "over"

    def turn_of(self, seat: int) -> None:
        """Makes it another seat's turn."""
        self.state = msgspec.structs.replace(self.state, to_play=seat)

    def moves(self, seat: int = 0) -> list[BuracoMove]:
        return [listed.move for listed in self.game.legal_moves(self.state, Seat(seat))]


def only(events: Sequence[BuracoEvent], kind: type[Event]) -> Event:
    """The one event of this kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {events}"
    return found[0]


def has(events: Sequence[BuracoEvent], kind: type[BuracoEvent]) -> bool:
    return any(isinstance(event, kind) for event in events)


def winners(events: Sequence[BuracoEvent]) -> tuple[int, ...]:
    return only(events, MatchEnded).winners


def cards_of(state: State) -> list[str]:
    """Every card of a state, wherever it lies."""
    places = [
        *state.hands,
        state.stock,
        *state.mortos,
        state.lixo,
        *(meld.shape.cards for meld in state.melds),
        *state.red_threes,
    ]
    return [card for place in places for card in place]


class ChanceMatch:
    """A match in which each move is drawn from the described ones; `events` holds what has happened."""

    def __init__(
        self, preset: str, players: int, seed: str, switches: Mapping[str, str] | None = None
    ) -> None:
        self.game = PRESETS[preset]
        self.seed = f"{preset} {players} {seed}"
        self.chance = random.Random(self.seed)
        self.draws = Draws(hashlib.sha256(self.seed.encode()).digest(), self.seed)
        self.initial = self.state = self.game.initial(self.game.rule_set(switches or {}), players)
        self.events: list[BuracoEvent] = []
        self.last: Sequence[BuracoEvent] = ()
        self.apply(self.game.start(self.state, self.draws))

    def apply(self, events: Sequence[BuracoEvent]) -> None:
        assert events, f"{self.seed}: an accepted move has at least one event"
        for event in events:
            self.state = self.game.evolve(self.state, event)
            self.events.append(event)
        self.last = events

    @property
    def is_over(self) -> bool:
        return self.game.awaited(self.state) is None

    def choose(self) -> BuracoMove:
        listed = self.game.legal_moves(self.state, Seat(self.state.to_play))
        assert listed, f"{self.seed}: seat {self.state.to_play} is awaited and may do nothing"
        return self.chance.choice(listed).move

    def step(self) -> None:
        move = self.choose()
        decision = self.game.decide(self.state, Seat(self.state.to_play), move, self.draws)
        assert not isinstance(decision, Rejection), f"{self.seed}: {move} is listed: {decision}"
        self.apply(decision)

    def play(self, moves: int = MOST_MOVES) -> ChanceMatch:
        for _ in range(moves):
            if self.is_over:
                return self
            self.step()
        assert moves < MOST_MOVES, f"{self.seed} does not end"
        return self
