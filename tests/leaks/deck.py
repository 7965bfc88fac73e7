"""A deck whose every card is a random token, a new one each hand, known to the test alone.

On the inside a card is a text of sixteen hex digits, on the wire two numbers of 31 bits in the place of rank and suit: 62
bits that stand nowhere by chance. No production code knows of it: the registered game is wrapped, and the codec that
turns codes into messages is exchanged for the test.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from carteado.cards.v1 import cards_pb2
from libs.rules.chance import Chance
from libs.rules.game import Awaited, Rejection, Result, Seat, Side
from libs.rules.registry import GAMES
from libs.rules.shuffle import Draws
from libs.rules.truco import story
from libs.rules.truco.cards import PACK
from libs.rules.truco.robots import ROBOTS
from libs.wire import truco as codec
from libs.wire.errors import WireError

TOKEN = re.compile(r"[0-9a-f]{16}")


class Deck:
    """Tokens by hand and card, made when they are first needed."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)
        self._tokens: dict[tuple[int, str], str] = {}
        self._cards: dict[str, str] = {}
        self.tokens: set[str] = set()
        self.numbers: dict[int, str] = {}

    def token(self, hand: int, card: str) -> str:
        """The token of a card in a hand."""
        token = self._tokens.get((hand, card))
        if token is None:
            # Above 2³⁰: five bytes as a varint, ten digits in decimal.
            rank, suit = (self._chance.randrange(2**30, 2**31) for _ in range(2))
            token = self._tokens[hand, card] = f"{rank:08x}{suit:08x}"
            self._cards[token] = card
            self.tokens.add(token)
            self.numbers |= {rank: token, suit: token}
        return token

    def tagged(self, value: Any, hand: int) -> Any:
        """The value with every card replaced by its token."""
        return translated(value, lambda text: self.token(hand, text) if text in _PACK else text)

    def plain(self, value: Any) -> Any:
        """The value with every token replaced by its card."""
        return translated(value, lambda text: self._cards.get(text, text))


_PACK = frozenset(PACK)


def translated(value: Any, word: Callable[[str], str]) -> Any:
    """A value of structs, sequences, mappings and texts with every text put through `word`."""
    if isinstance(value, str):
        return word(value)
    if isinstance(value, msgspec.Struct):
        changes = {name: translated(getattr(value, name), word) for name in value.__struct_fields__}
        return type(value)(**changes)
    if isinstance(value, tuple | list):
        return type(value)(translated(item, word) for item in value)
    if isinstance(value, Mapping):
        return {translated(key, word): translated(item, word) for key, item in value.items()}
    return value


class TaggedGame:
    """A game whose states, events, moves and views hold tokens where the wrapped one's hold cards."""

    def __init__(self, game: Any, deck: Deck) -> None:
        self._game = game
        self._deck = deck
        self.preset = game.preset
        self.rules_version = game.rules_version
        self.player_counts = game.player_counts
        self.tells_alike = game.tells_alike

    def rule_set(self, switches: Mapping[str, str]) -> Any:
        return self._game.rule_set(switches)

    def switches(self, rules: Any) -> Mapping[str, str]:
        return self._game.switches(rules)

    def initial(self, rules: Any, players: int) -> Any:
        return self._game.initial(rules, players)

    def start(self, state: Any, draws: Draws) -> Sequence[Any]:
        return self._events(self._game.start(self._deck.plain(state), draws), state)

    def decide(self, state: Any, seat: Seat, move: Any, draws: Draws) -> Sequence[Any] | Rejection:
        plain = self._deck.plain(state)
        decision = self._game.decide(plain, seat, self._deck.plain(move), draws)
        if isinstance(decision, Sequence):
            return self._events(decision, state)
        return self._deck.tagged(decision, state.hand)

    def evolve(self, state: Any, event: Any) -> Any:
        after = self._game.evolve(self._deck.plain(state), self._deck.plain(event))
        return self._deck.tagged(after, after.hand)

    def awaited(self, state: Any) -> Awaited | None:
        return self._game.awaited(self._deck.plain(state))

    def legal_moves(self, state: Any, seat: Seat) -> Sequence[Any]:
        return self._deck.tagged(self._game.legal_moves(self._deck.plain(state), seat), state.hand)

    def automatic_move(self, state: Any, seat: Seat) -> Any:
        return self._deck.tagged(self._game.automatic_move(self._deck.plain(state), seat), state.hand)

    def view(self, state: Any, seat: Seat | None) -> Any:
        return self._deck.tagged(self._game.view(self._deck.plain(state), seat), state.hand)

    def observe(self, event: Any, before: Any, after: Any, seat: Seat | None) -> Any:
        seen = self._game.observe(
            self._deck.plain(event), self._deck.plain(before), self._deck.plain(after), seat
        )
        return self._deck.tagged(seen, getattr(event, "hand", after.hand))

    def is_fair(self, event: Any, before: Any, draws: Draws) -> bool:
        return self._game.is_fair(self._deck.plain(event), self._deck.plain(before), draws)

    def result(self, state: Any) -> Result | None:
        return self._game.result(self._deck.plain(state))

    def facts(self, state: Any) -> object:
        return self._deck.tagged(self._game.facts(self._deck.plain(state)), state.hand)

    def side_of(self, seat: Seat) -> Side:
        return self._game.side_of(seat)

    def _events(self, events: Sequence[Any], state: Any) -> Sequence[Any]:
        return [self._deck.tagged(event, getattr(event, "hand", state.hand)) for event in events]


def card_to_proto(token: str) -> cards_pb2.Card:
    """A token on the wire. The fields are enums, which carry any number."""
    return cards_pb2.Card(rank=int(token[:8], 16), suit=int(token[8:], 16))  # type: ignore[arg-type]  # enums as numbers


def card_from_proto(card: cards_pb2.Card, field: str) -> str:
    """The token of a message."""
    token = f"{card.rank:08x}{card.suit:08x}"
    if not TOKEN.fullmatch(token):
        raise WireError(field, "there is no such card")
    return token


@contextmanager
def tagged_deck(seed: str, wrap: Callable[[TaggedGame], Any] = lambda game: game) -> Iterator[Deck]:
    """Truco is played with tokens for as long as the block lasts; `wrap` may plant something in the game."""
    deck = Deck(seed)
    with pytest.MonkeyPatch.context() as patch:
        for preset in GAMES:
            patch.setitem(GAMES, preset, wrap(TaggedGame(GAMES[preset], deck)))
        for strength, robot in ROBOTS.items():
            patch.setitem(ROBOTS, strength, _tagged_robot(robot, deck))
        patch.setattr(codec, "card_to_proto", card_to_proto)
        patch.setattr(codec, "card_from_proto", card_from_proto)
        patch.setattr(story, "_card", str)
        yield deck


def _tagged_robot(robot: Callable[[Any, Chance], Any], deck: Deck) -> Callable[[Any, Chance], Any]:
    def play(view: Any, chance: Chance) -> Any:
        return deck.tagged(robot(deck.plain(view), chance), view.hand)

    return play
