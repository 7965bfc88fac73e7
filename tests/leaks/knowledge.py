"""Who may know which card at which version, told from the log's own events and the rules (G-11, R-17, R-20, R-21).

Written apart from the views that it judges.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Receiver = int | None
"""A seat, or None for a spectator."""


class Knowledge:
    """What each receiver may have learnt, by version of one Truco table."""

    def __init__(self, events: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """`events` are stored names and payloads from version 1 on."""
        self._known: dict[Receiver, list[frozenset[str]]] = {
            seat: [frozenset()] for seat in (None, 0, 1, 2, 3)
        }
        self._score = (0, 0)
        self._hands: Sequence[Sequence[str]] = ((), (), (), ())
        self._is_blind = False
        self.ended_at: int | None = None
        self._switches: Mapping[str, str] = {}
        for name, event in events:
            learnt = self._learnt(name, event)
            for receiver, versions in self._known.items():
                versions.append(
                    versions[-1] | learnt.get(receiver, frozenset()) | learnt.get("all", frozenset())
                )
            if name == "table.ended":
                self.ended_at = len(self._known[None]) - 1

    @property
    def version(self) -> int:
        """The last version that is known of."""
        return len(self._known[None]) - 1

    def known(self, receiver: Receiver, version: int) -> frozenset[str]:
        """What the receiver may know at this version."""
        return self._known[receiver][min(version, self.version)]

    def is_over(self, version: int) -> bool:
        """Whether everything is public at this version."""
        return self.ended_at is not None and version >= self.ended_at

    def _learnt(self, name: str, event: Mapping[str, Any]) -> dict[Any, frozenset[str]]:
        if name == "table.opened":
            self._switches = event["switches"]
        if name == "truco.hand_ended":
            self._score = tuple(event["score"])
        if name == "truco.hand_dealt":
            return self._dealt(event)
        if name == "truco.card_played":
            card = frozenset({event["card"]})
            if not event["covered"]:
                return {"all": card}
            return {} if self._is_blind else {event["seat"]: card}
        return {}

    def _dealt(self, event: Mapping[str, Any]) -> dict[Any, frozenset[str]]:
        hands = [frozenset(cards) for cards in event["cards"]]
        iron = self._score == (11, 11)
        self._is_blind = iron and self._switches["iron_hand"] == "blind"
        learnt: dict[Any, frozenset[str]] = {"all": frozenset({event["vira"]})}
        if self._is_blind:
            return learnt
        looks = 11 in self._score and not iron and self._switches["eleven_decision"] == "look_and_answer"
        for seat in range(4):
            partner_is_seen = looks and self._score[seat % 2] == 11
            learnt[seat] = hands[seat] | (hands[(seat + 2) % 4] if partner_is_seen else frozenset())
        return learnt
