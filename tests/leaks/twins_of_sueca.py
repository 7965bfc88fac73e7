"""Sueca's twins: a viewer knows its own cards, what was played, and the trump card (S-02)."""

import random
from typing import Any

from libs.rules.game import Seat
from libs.rules.sueca.cards import PACK
from libs.rules.sueca.events import CardPlayed, HandDealt
from libs.rules.sueca.moves import PlayCard
from tests.leaks.twins import Log


class SuecaLog(Log):
    """A log of Sueca."""

    preset = "sueca"
    deals = HandDealt
    plays = CardPlayed

    @property
    def hand(self) -> int:
        return int(self.state.game_state.deal.hand)

    def hidden_from(self, viewer: Seat | None) -> set[str]:
        state = self.state.game_state
        known = {state.deal.trump_card, *state.plays}
        known |= {card for trick in state.tricks for card in trick.cards}
        return set(PACK) - known - set(() if viewer is None else state.deal.cards[viewer])

    def wishes(self, chance: random.Random) -> list[Any]:
        """Every card, now and in other tricks and hands."""
        hand, trick = self.hand, self.state.game_state.trick
        moves: list[Any] = [PlayCard(hand, trick, card) for card in PACK]
        other = [(hand, trick + 1), (hand, trick - 1), (hand + 1, 1), (hand, 0)]
        return [*moves, *(PlayCard(*place, chance.choice(PACK)) for place in other)]

    def shown(self, seat: Seat, move: Any) -> str | None:
        card: str = move.card
        return card
