"""The moves that a description names, as a list whose moves are made when they are looked at: most never are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from libs.rules.buraco.legal import Legal
from libs.rules.buraco.moves import BuracoMove, Discard, DrawStock, EndTurn, ExtendMeld, LayMeld, TakeLixo
from libs.rules.game import LegalMove

Listing = LegalMove[BuracoMove]


class Listed(Sequence[Listing]):
    """Every move that is described, each of them accepted: draws, ways to take the lixo, melds, additions, discards."""

    __slots__ = ("_count", "_discards_at", "_legal")

    def __init__(self, legal: Legal) -> None:
        """All that `legal` names."""
        self._legal = legal
        count = legal.draw_stock + legal.take_lixo + len(legal.justifications) + len(legal.new_melds)
        for addition in legal.additions:
            count += len(addition.cards) + (addition.together != ())
        self._discards_at = count
        self._count = count + len(legal.discards) + legal.end_turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Listed) and self._legal == other._legal

    def __hash__(self) -> int:
        return hash(self._legal)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Listing]:
        return map(self._at, range(self._count))

    @overload
    def __getitem__(self, place: int) -> Listing: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Listing, ...]: ...
    def __getitem__(self, place: int | slice) -> Listing | tuple[Listing, ...]:
        if type(place) is int and 0 <= place < self._count:
            return self._at(place)
        if isinstance(place, slice):
            return tuple([self._at(number) for number in range(self._count)[place]])
        count = self._count
        if not -count <= place < count:
            raise IndexError(place)
        return self._at(place % count)

    def _at(self, place: int) -> Listing:
        legal = self._legal
        if place < self._discards_at:
            return LegalMove(_move(legal, place))
        discards = legal.discards
        return LegalMove(
            Discard(legal.turn, discards[place - self._discards_at]) if discards else EndTurn(legal.turn)
        )


def moves_of(legal: Legal | None) -> Sequence[Listing]:
    """The moves that a description names, if there is one."""
    if legal is None:
        return ()
    if legal.draw_stock and not legal.justifications:
        draw: Listing = LegalMove(DrawStock(legal.turn))
        return (draw, LegalMove(TakeLixo(legal.turn))) if legal.take_lixo else (draw,)
    return Listed(legal)


def _move(legal: Legal, place: int) -> BuracoMove:
    """The move at a place of those that are described, which ends no turn."""
    turn = legal.turn
    if legal.draw_stock:
        if place == 0:
            return DrawStock(turn)
        place -= 1
    if legal.take_lixo:
        if place == 0:
            return TakeLixo(turn)
        place -= 1
    if place < len(legal.justifications):
        way = legal.justifications[place]
        return TakeLixo(turn, way.cards, way.meld)
    place -= len(legal.justifications)
    if place < len(legal.new_melds):
        return LayMeld(turn, legal.new_melds[place])
    place -= len(legal.new_melds)
    for addition in legal.additions:
        if place < len(addition.cards):
            return ExtendMeld(turn, addition.meld, (addition.cards[place],))
        place -= len(addition.cards)
        if addition.together:
            if place == 0:
                return ExtendMeld(turn, addition.meld, addition.together)
            place -= 1
    raise IndexError(place)
