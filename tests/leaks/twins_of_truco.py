"""Truco's twins: what a viewer may know is told by `Knowledge`, and every kind of move is tried."""

import random
from typing import Any

import msgspec

from libs.rules.game import Seat
from libs.rules.truco import moves as mv
from libs.rules.truco.cards import PACK
from libs.rules.truco.events import CardPlayed, HandDealt
from tests.leaks.knowledge import Knowledge
from tests.leaks.twins import Log


class TrucoLog(Log):
    """A log of Truco Paulista."""

    preset = "truco-paulista"
    deals = HandDealt
    plays = CardPlayed

    @property
    def hand(self) -> int:
        return int(self.state.game_state.hand)

    def hidden_from(self, viewer: Seat | None) -> set[str]:
        facts = []
        for stored in self.stored:
            payload = msgspec.json.decode(stored.payload)
            if stored.name in {"truco.hand_dealt", "truco.card_played"} and payload["hand"] != self.hand:
                continue
            facts.append((stored.name, payload))
        return set(PACK) - Knowledge(facts).known(viewer, len(facts))

    def wishes(self, chance: random.Random) -> list[Any]:
        """Every card open and covered, every place, every call, now and in other hands."""
        hand, trick = self.hand, len(self.state.game_state.tricks) + 1
        moves: list[Any] = [
            mv.PlayCard(hand, trick, card=card, covered=covered) for card in PACK for covered in (False, True)
        ]
        moves += [mv.PlayCard(hand, trick, position=position) for position in range(4)]
        moves += [
            mv.PlayCard(hand, trick + 1, card=chance.choice(PACK)),
            mv.PlayCard(hand + 1, 1, card="4P"),
        ]
        for value in (3, 6, 9, 12):
            moves += [mv.Raise(hand, value), mv.AcceptRaise(hand, value), mv.Fold(hand, value)]
        return [*moves, mv.PlayElevenHand(hand), mv.DeclineElevenHand(hand)]

    def shown(self, seat: Seat, move: Any) -> str | None:
        """A covered card shows nothing."""
        if not isinstance(move, mv.PlayCard) or move.covered:
            return None
        face: str = move.card or self.state.game_state.dealt[seat][move.position or 0]
        return face
