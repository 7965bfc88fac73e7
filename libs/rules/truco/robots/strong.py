"""The stronger robot that a person may sit with: it weighs the hands that the others may hold.

From some dozens of hands that fit what it sees it estimates what each card, raise and answer brings in chances to win the
match. It believes its partners' signals and makes its own, calls where the others are likely to run, and covers a card
that cannot win anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libs.rules.chance import Chance
from libs.rules.truco.cards import FIRST_MANILHA_STRENGTH, PACK, STRENGTHS
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
    TrucoMove,
)
from libs.rules.truco.robots.equity import equity
from libs.rules.truco.robots.offered import offered, own_seat
from libs.rules.truco.robots.playout import Position, decided, outcome
from libs.rules.truco.robots.worlds import Worlds
from libs.rules.truco.view import TrucoView

WORLDS = 80
"""Hands looked into for a move, 1 ms: with half of them chance decides more raises, with twice as many hardly fewer."""

_CARD_WORTH = {8: 0.12, 9: 0.22, 10: 0.42, 11: 0.58, 12: 0.7, 13: 0.85, 14: 1.0}
"""About how much of the two tricks that a hand needs a card (by strength) brings its owner."""
_ACCEPTS_FROM = {3: 0.4, 6: 0.6, 9: 0.75, 12: 0.85}
"""From which worth on a seat is taken to accept a raise to this value."""
_ACCEPTS_ANYHOW = 0.3
"""How often one with less is taken to accept all the same: a call that counts on nobody's doing so is dear when somebody does."""
_CALLER_ANYHOW = 0.8
"""How often a caller is taken to call whatever it holds, beside how good that is: some bluff, and random play always does."""
_RAISE_MARGIN = 0.012
"""What a raise must bring: less would be noise, and the right to the next one goes to the others."""
_BLUFF_COST, _BLUFFS = 0.01, 0.2
"""A call that costs at most so much is made so often all the same: who never bluffs tells what a call means."""
_COVERS = 0.6
"""How often a card that cannot win is covered: always would tell as much as never."""
_WORTH_HIDING = 5


def strong_move(view: TrucoView, chance: Chance) -> TrucoMove:
    """The best move by its estimate. Raises ValueError when there is nothing to do."""
    moves = offered(view)
    seat = own_seat(view)
    if view.blind:
        cards = [move for move in moves if isinstance(move, PlayCard) and not move.covered]
        if not cards:
            raise ValueError("this seat has nothing to do")
        return cards[chance.randrange(len(cards))]
    if view.phase == "play" and (signal := _signal(view, seat, moves)) is not None:
        return signal
    table = _Table(view, seat, Worlds(view).draw(chance, WORLDS))
    if view.phase == "eleven_hand":
        return table.eleven_hand(moves)
    if view.phase == "answer_raise":
        return table.answer(moves)
    return table.play(moves, chance)


def _signal(view: TrucoView, seat: int, moves: Sequence[TrucoMove]) -> Signal | None:
    """A gesture for a manilha that the partners do not know of, while they have a card to choose."""
    if view.trick > 2:
        return None
    held = {card[1] for card in view.hands[seat].cards if card[0] == view.manilha}
    meant = {one.gesture: one.suit for table in view.signal_tables for one in table.meanings}
    signals = [move for move in moves if isinstance(move, Signal) and meant[move.gesture] in held]
    return signals[0] if signals else None


class _Table:
    """One decision: the view, and the positions that it may stand for."""

    def __init__(self, view: TrucoView, seat: int, worlds: Sequence[Position]) -> None:
        self._view = view
        self._seat = seat
        self._side = seat % 2
        self._worlds = worlds
        self._ours, self._theirs = view.score[self._side], view.score[1 - self._side]
        self._strengths = STRENGTHS[view.vira]

    def eleven_hand(self, moves: Sequence[TrucoMove]) -> TrucoMove:
        plays = self._worth(self._played_out(None), [1.0] * len(self._worlds), 3)
        kind = PlayElevenHand if plays >= self._after(1 - self._side, 1) else DeclineElevenHand
        return _first(moves, kind)

    def answer(self, moves: Sequence[TrucoMove]) -> TrucoMove:
        """Who calls holds something, more often than not: hands in which the caller does weigh more."""
        pending = self._view.pending_raise
        assert pending is not None, "a side answers a raise"
        weights = [_CALLER_ANYHOW + _hope(world, pending.by_seat) for world in self._worlds]
        sides = self._played_out(None)
        fold = self._after(1 - self._side, self._view.value)
        accept = self._worth(sides, weights, pending.value)
        for move in self._raises(moves):
            counter = self._raised(sides, weights, pending.value, move.value)
            if counter > max(accept, fold) + _RAISE_MARGIN:
                return move
        return _first(moves, AcceptRaise if accept >= fold else Fold)

    def play(self, moves: Sequence[TrucoMove], chance: Chance) -> TrucoMove:
        cards = [move for move in moves if isinstance(move, PlayCard) and not move.covered]
        raises = self._raises(moves)
        if not cards:
            # Only a table where one may raise at any time asks a seat that is not to play, and nobody has to.
            raise ValueError("this seat has nothing to do")
        weights = [1.0] * len(self._worlds)
        value = self._view.value
        best, worth = cards[0], -1.0
        sides: Sequence[int | None] = ()
        seen: dict[int, None] = {}
        for card in sorted(cards, key=self._strength):
            strength = self._strength(card)
            if strength in seen:
                continue
            seen[strength] = None
            played = self._played_out(strength)
            found = self._worth(played, weights, value)
            if found > worth + 1e-9:
                best, sides, worth = card, played, found
        for move in raises:
            gain = self._raised(sides, weights, value, move.value) - worth
            if gain > _RAISE_MARGIN or (gain > -_BLUFF_COST and chance.random() < _BLUFFS):
                return move
        return self._covered(best, moves, chance)

    def _covered(self, best: PlayCard, moves: Sequence[TrucoMove], chance: Chance) -> PlayCard:
        """The chosen card, covered now and then when it cannot win the trick and is worth hiding."""
        strength = self._strength(best)
        shown = [self._strengths[one.card] for one in self._view.tricks[-1].cards if one.card is not None]
        if (
            strength >= max(shown, default=0)
            or strength < _WORTH_HIDING
            or strength >= FIRST_MANILHA_STRENGTH
        ):
            return best
        for move in moves:
            if isinstance(move, PlayCard) and move.covered and move.card == best.card:
                return move if chance.random() < _COVERS else best
        return best

    def _raises(self, moves: Sequence[TrucoMove]) -> Sequence[Raise]:
        """The raises that somebody could run from: none once everybody sees that the others have the hand."""
        raises = [move for move in moves if isinstance(move, Raise)]
        return () if raises and self._is_seen_to_be_lost() else raises

    def _is_seen_to_be_lost(self) -> bool:
        """Whether this trick gives the others the hand, and no card that is not shown beats or ties theirs in it."""
        world, others = self._worlds[0], 1 - self._side
        if not world.plays or decided((*world.won, others)) != (True, others):
            return False
        holder, best = max(world.plays, key=lambda play: play[1])
        shown = {one.card for trick in self._view.tricks for one in trick.cards} | {self._view.vira}
        unbeaten = all(self._strengths[card] < best for card in PACK if card not in shown)
        return holder % 2 == others and unbeaten

    def _strength(self, move: PlayCard) -> int:
        return self._strengths[move.card or ""]

    def _played_out(self, strength: int | None) -> list[int | None]:
        return [outcome(world, strength) for world in self._worlds]

    def _after(self, side: int | None, points: int) -> float:
        """The chance to win the match once this side scores so much."""
        if side is None:
            return equity(self._ours, self._theirs)
        if side == self._side:
            return equity(self._ours + points, self._theirs)
        return equity(self._ours, self._theirs + points)

    def _worth(self, sides: Sequence[int | None], weights: Sequence[float], value: int) -> float:
        """The chance to win the match if the hand is played at this value, over all worlds by their weight."""
        after = self._afterwards(value)
        return sum(after[side] * weight for side, weight in zip(sides, weights, strict=True)) / sum(weights)

    def _afterwards(self, value: int) -> Mapping[int | None, float]:
        return {side: self._after(side, value) for side in (0, 1, None)}

    def _raised(
        self, sides: Sequence[int | None], weights: Sequence[float], value: int, called: int
    ) -> float:
        """The chance to win the match after this call: the others run or it is played, by what they hold."""
        after = self._afterwards(called)
        runs = self._after(self._side, value)
        total = 0.0
        for world, side, weight in zip(self._worlds, sides, weights, strict=True):
            others = range(1 - self._side, len(world.hands), 2)
            is_worth_it = max(_hope(world, seat) for seat in others) >= _ACCEPTS_FROM[called]
            accepts = 1.0 if is_worth_it else _ACCEPTS_ANYHOW
            total += weight * (after[side] * accepts + runs * (1 - accepts))
        return total / sum(weights)


def _hope(world: Position, seat: int) -> float:
    """How much of a hand a seat's cards are worth, the one on the table too, with the tricks that are over."""
    hope = sum(_CARD_WORTH.get(strength, 0.0) for strength in world.hands[seat])
    hope += sum(_CARD_WORTH.get(strength, 0.0) for player, strength in world.plays if player == seat)
    for side in world.won:
        hope += 0.25 if side is None else 0.7 if side == seat % 2 else -0.35
    return hope


def _first(moves: Sequence[TrucoMove], kind: type[TrucoMove]) -> TrucoMove:
    return next(move for move in moves if isinstance(move, kind))
