"""A match played on fast for a few turns: what the strong robot weighs its moves with.

The others play by first sight; the seat itself so that it can go on, without which its hand would be worth too little.

Cards are their places in `cards.FACES`. The cards that nobody is known to hold, the pile's included, are one heap in an order
drawn by chance: what is played on is as likely as any other match that the view allows. No chance is drawn in between, so
that two moves tried in one position meet the same cards, and what they differ in is their own doing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libs.rules.mau_mau.cards import FACES, FOLLOWS, RANK, SUIT, SUITS

NUMBER: Mapping[str, int] = {card: number for number, card in enumerate(FACES)}
"""Each card's number."""

SUIT_OF: Sequence[int] = tuple([number // 13 for number in range(52)])
_ACE, _SEVEN, _NINE, _JACK, _QUEEN = 0, 6, 8, 10, 11
_RANK_OF = tuple([number % 13 for number in range(52)])
_EAGERNESS = {"7": 6, "A": 5, "9": 4, "Q": 3, "J": 1}
_PLAIN = 2

_EAGER: Sequence[Sequence[Sequence[int]]] = tuple(
    [
        tuple(
            [
                tuple(
                    [
                        _EAGERNESS.get(RANK[card], _PLAIN) if card in FOLLOWS[suit][top] else 0
                        for card in FACES
                    ]
                )
                for top in FACES
            ]
        )
        for suit in SUITS
    ]
)
"""How eagerly a card is played, by the suit that counts, the top, and the card; 0 is not at all."""

_LINKED: Sequence[int] = tuple(
    [
        sum(1 << number for number, after in enumerate(FACES) if after in FOLLOWS[SUIT[card]][card])
        for card in FACES
    ]
)
"""The cards that may follow a card, as a mask of their numbers."""

_MOST_TURNS = 6
"""How far it is played on. To the end, chance weighs more than the move that was tried: a few turns tell moves apart better."""
_NEARER = 0.6
"""How much further from winning each card more in the hand is."""


class Position:
    """A match at some point, to be played out once: it is used up by that."""

    __slots__ = ("hands", "heap", "penalty", "step", "suit", "to_play", "top")

    def __init__(
        self,
        hands: list[list[int]],
        heap: list[int],
        top: int,
        suit: int,
        step: int,
        penalty: int,
        to_play: int,
    ) -> None:
        """`hands` and `heap`, whose last card is drawn first, are changed when it is played out."""
        self.hands, self.heap = hands, heap
        self.top, self.suit, self.step, self.penalty, self.to_play = top, suit, step, penalty, to_play

    def lay(self, card: int, suit: int | None) -> bool:
        """The seat to play lays a card that it holds and that may be laid; whether that was its last."""
        seat, players = self.to_play, len(self.hands)
        hand = self.hands[seat]
        hand.remove(card)
        if not hand:
            return True
        self.top = card
        self.suit = SUIT_OF[card] if suit is None else suit
        rank = _RANK_OF[card]
        if rank == _SEVEN:
            self.penalty += 2
        elif rank == _QUEEN:
            self.step = -self.step
        elif rank == _ACE:
            self.to_play = (seat + 2 * self.step) % players
            return False
        elif rank == _NINE:
            self.draw((seat - self.step) % players, 1)
        self.to_play = (seat + self.step) % players
        return False

    def draw(self, seat: int, count: int) -> None:
        """A seat draws, as many as there are."""
        heap, hand = self.heap, self.hands[seat]
        for _ in range(min(count, len(heap))):
            hand.append(heap.pop())

    def go_on(self) -> None:
        """The seat to play ends its turn without a card."""
        self.to_play = (self.to_play + self.step) % len(self.hands)

    def play_out(self, seat: int) -> float:
        """How well it stands for a seat some turns later: 1 if it has won, 0 if another has, else by the cards left."""
        hands = self.hands
        for _ in range(_MOST_TURNS):
            player = self.to_play
            hand = hands[player]
            if self.penalty:
                seven = next((card for card in hand if _RANK_OF[card] == _SEVEN), None)
                if seven is None:
                    self.draw(player, self.penalty)
                    self.penalty = 0
                    self.go_on()
                    continue
                best = seven
            else:
                eager = _EAGER[self.suit][self.top]
                choose = _best_linked if player == seat else _most_eager
                best = choose(hand, eager)
                if best < 0:
                    self.draw(player, 1)
                    best = hand[-1]
                    if not eager[best]:
                        self.go_on()
                        continue
            suit = _most_held(hand) if _RANK_OF[best] == _JACK else None
            if self.lay(best, suit):
                return 1.0 if player == seat else 0.0
        near = [_NEARER ** len(hand) for hand in hands]
        return near[seat] / sum(near)


def _most_eager(hand: Sequence[int], eager: Sequence[int]) -> int:
    """The card that is played most eagerly; -1 where none may be played."""
    best, most = -1, 0
    for card in hand:
        if eager[card] > most:
            best, most = card, eager[card]
    return best


def _best_linked(hand: Sequence[int], eager: Sequence[int]) -> int:
    """The card after which most of the others could be played at once, Jacks kept; -1 where none may be played."""
    fitting = [card for card in hand if eager[card]]
    if len(fitting) < 2:
        return fitting[0] if fitting else -1
    held = 0
    for card in hand:
        held |= 1 << card
    return max(
        fitting, key=lambda card: (eager[card] > 1, 4 * (_LINKED[card] & held).bit_count() + eager[card])
    )


def _most_held(hand: Sequence[int]) -> int:
    held = [0, 0, 0, 0]
    for card in hand:
        if _RANK_OF[card] != _JACK:
            held[SUIT_OF[card]] += 1
    return held.index(max(held))
