"""The hands that the others may hold: drawn evenly from the cards that a seat has not seen, true to its partners' signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libs.rules.chance import Chance
from libs.rules.truco.cards import COVERED_STRENGTH, PACK, STRENGTHS
from libs.rules.truco.robots.offered import own_seat
from libs.rules.truco.robots.playout import Position
from libs.rules.truco.view import TrucoView


class Worlds:
    """Draws positions that are possible for all that one view tells."""

    def __init__(self, view: TrucoView) -> None:
        """The view must be a seat's, in a hand that is not blind."""
        strengths = STRENGTHS[view.vira]
        trick = view.tricks[-1]
        players = len(view.hands)
        self._leader = trick.leader
        self._plays = [
            (play.seat, COVERED_STRENGTH if play.card is None else strengths[play.card])
            for play in trick.cards
        ]
        self._to_play = (trick.leader + len(trick.cards)) % players
        self._won = tuple(
            None if ended.winner_seat is None else ended.winner_seat % 2
            for ended in view.tricks
            if ended.is_over
        )
        shown = {play.card for ended in view.tricks for play in ended.cards if play.card is not None}
        self._known = [list(hand.cards) for hand in view.hands]
        signalled = _signalled(view)
        told = {view.vira, *shown, *(card for cards in self._known for card in cards)}
        for seat, cards in signalled.items():
            for card in cards:
                if card not in told and len(self._known[seat]) < view.hands[seat].count:
                    self._known[seat].append(card)
                    told.add(card)
        self._missing = [hand.count - len(known) for hand, known in zip(view.hands, self._known, strict=True)]
        self._unseen = [strengths[card] for card in PACK if card not in told]
        self._strengths = [[strengths[card] for card in known] for known in self._known]

    def draw(self, chance: Chance, count: int) -> Sequence[Position]:
        """So many positions, each as likely as any other."""
        return [self._one(chance) for _ in range(count)]

    def _one(self, chance: Chance) -> Position:
        pool = self._unseen[:]
        left = len(pool)
        hands = []
        for known, missing in zip(self._strengths, self._missing, strict=True):
            hand = known[:]
            for _ in range(missing):
                place = int(chance.random() * left)
                hand.append(pool[place])
                left -= 1
                pool[place] = pool[left]
            hand.sort()
            hands.append(hand)
        return Position(hands, self._to_play, self._plays, self._leader, self._won)


def _signalled(view: TrucoView) -> Mapping[int, Sequence[str]]:
    """The manilhas that partners say they hold; a gesture of the other side means nothing to this one."""
    seat = own_seat(view)
    meanings = {
        one.gesture: view.manilha + one.suit
        for table in view.signal_tables
        if table.side == seat % 2
        for one in table.meanings
    }
    told: dict[int, list[str]] = {}
    for signal in view.signals:
        if signal.seat != seat and signal.seat % 2 == seat % 2:
            told.setdefault(signal.seat, []).append(meanings[signal.gesture])
    return told
