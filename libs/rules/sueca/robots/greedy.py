"""The yardstick: takes what it can take at once, with its strongest card, and throws the weakest where it cannot."""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.robots.reading import allowed, move_of, read, winning_place
from libs.rules.sueca.view import SuecaView


def greedy_move(view: SuecaView, chance: Chance) -> SuecaMove:  # noqa: ARG001 -- every robot is given chance
    """Leads its strongest card; wins if it can, be the trick its partner's or not. Raises ValueError with nothing to do."""
    reading = read(view)
    may = allowed(reading.hand, reading.plays)
    cards = sorted(
        [card for card in range(40) if may >> card & 1],
        key=lambda card: (card % 10, card // 10 == reading.trump),
    )
    winning = [
        card for card in cards if winning_place((*reading.plays, card), reading.trump) == len(reading.plays)
    ]
    return move_of(view, winning[-1] if winning else cards[0])
