"""Forming ranked matches: a pure function of the open tickets and of the tick's time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID, uuid5

import msgspec

from services.matchmaking.seating import Pair

_MATCH_IDS = UUID("0b0e2f5e-9c67-5c3f-8f5a-5f4fbb5b6a11")


class Ticket(msgspec.Struct, frozen=True):
    """A player who waits for a ranked match."""

    ticket_id: str
    player_id: str
    preset: str
    since: datetime


def form(tickets: Sequence[Ticket], seats: Mapping[str, int], now: datetime) -> list[Pair]:
    """The matches that these tickets make now: of each game, whoever has waited longest, as many as it has seats.

    Tickets from the future of `now` wait for the next tick. The id follows from the tickets, so that the same match
    formed twice is one match. Seats go by waiting time: sides take alternate seats, so the first two are opponents. Nobody
    is in two matches, or in one match twice, whatever tickets there are (case B118).
    """
    waiting: dict[str, list[Ticket]] = defaultdict(list)
    players: set[str] = set()
    for ticket in sorted(tickets, key=lambda one: (one.since, one.ticket_id)):
        if ticket.since <= now and ticket.player_id not in players:
            players.add(ticket.player_id)
            waiting[ticket.preset].append(ticket)
    formed = []
    for preset in sorted(waiting):
        size = seats.get(preset, 0)
        line = waiting[preset]
        for start in range(0, len(line) - size + 1, size) if size else ():
            chosen = line[start : start + size]
            ids = tuple(ticket.ticket_id for ticket in chosen)
            seated = tuple(ticket.player_id for ticket in chosen)
            formed.append(Pair(match_id_of(ids), preset, seated, ids))
    return formed


def match_id_of(tickets: Sequence[str]) -> str:
    """The id of the match that these tickets make."""
    return str(uuid5(_MATCH_IDS, " ".join(tickets)))
