"""Which feats a finished match's log shows, who did them, and by which event. Pure, and from the record alone.

A feat counts for who did it: what a clock or a robot played for somebody is nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from libs.rules.buraco import events as buraco
from libs.rules.sueca import events as sueca
from libs.rules.truco import events as truco
from libs.rules.truco.cards import MANILHA_RANK, MANILHA_SUITS
from services.league.policy import Feat

LAST_TRICK: Final = 3
"""A hand of Truco has three; one that is decided by two of them has no last one."""

LONGEST_RUN: Final = 14
"""Ace to ace: clean, the canastra de 1000 (B-16)."""


class Recorded(msgspec.Struct, frozen=True):
    """An event of a match's record. `by_seat` is None when a clock or a service acted."""

    version: int
    by_seat: int | None
    type: str
    payload: str


class Shown(msgspec.Struct, frozen=True):
    """A feat, the seats that it counts for, and the version of the table at which it stands."""

    feat: Feat
    seats: tuple[int, ...]
    version: int


def feats_of(game: str, events: Sequence[Recorded]) -> list[Shown]:
    """The feats of a match in the order in which they were done; none for a game without any."""
    read = _READERS.get(game)
    return [] if read is None else list(read(events))


def has_feats(game: str) -> bool:
    """Whether a match of this game may show one."""
    return game in _READERS


def _zaps(events: Sequence[Recorded]) -> Iterator[Shown]:
    """The zap, open, on the last trick. A covered one is worth nothing (R-21)."""
    zap = ""
    for one in events:
        if one.type == "truco.hand_dealt":
            vira = msgspec.json.decode(one.payload, type=truco.HandDealt).vira
            zap = MANILHA_RANK[vira[0]] + MANILHA_SUITS[-1]
        elif one.type == "truco.card_played":
            played = msgspec.json.decode(one.payload, type=truco.CardPlayed)
            is_zap = played.card == zap and played.trick == LAST_TRICK and not played.covered
            if is_zap and one.by_seat == played.seat:
                yield Shown("zap_on_last_trick", (played.seat,), one.version)


def _bandeiras(events: Sequence[Recorded]) -> Iterator[Shown]:
    """All ten tricks of a hand: a feat of both partners (S-04)."""
    for one in events:
        if one.type == "sueca.hand_ended":
            ended = msgspec.json.decode(one.payload, type=sueca.HandEnded)
            if ended.is_bandeira and ended.winner_side is not None:
                yield Shown("bandeira", (ended.winner_side, ended.winner_side + 2), one.version)


def _canastras(events: Sequence[Recorded]) -> Iterator[Shown]:
    """A clean run from ace to ace, for whoever laid its last card."""
    for one in events:
        laid: buraco.MeldLaid | buraco.MeldExtended
        if one.type == "buraco.meld_laid":
            laid = msgspec.json.decode(one.payload, type=buraco.MeldLaid)
        elif one.type == "buraco.meld_extended":
            laid = msgspec.json.decode(one.payload, type=buraco.MeldExtended)
        else:
            continue
        is_whole = laid.shape.kind == "run" and len(laid.shape.cards) == LONGEST_RUN and laid.shape.clean
        if is_whole and one.by_seat == laid.seat:
            yield Shown("canastra_de_1000", (laid.seat,), one.version)


_READERS: Final[Mapping[str, Callable[[Sequence[Recorded]], Iterator[Shown]]]] = {
    "truco-paulista": _zaps,
    "sueca": _bandeiras,
    "buraco-aberto": _canastras,
    "buraco-fechado": _canastras,
    "buraco-fechado-stbl": _canastras,
}
"""By game. Canastra and Tranca know no canastra de 1000 (B-19)."""
