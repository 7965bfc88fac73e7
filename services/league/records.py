"""Asks the table service for the record of a finished match: what any spectator may read of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from carteado.table.v1 import table_service_pb2 as table
from carteado.table.v1.record_pb2 import RecordedEvent
from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.service.grpc_client import Channels
from services.league.feats import Recorded

_TIMEOUT_S: Final = 2.0
_MOST_PAGES: Final = 50

Records = Callable[[str], Awaitable[list[Recorded]]]
"""The events of a finished match by its id."""


class TooLongRecordError(Exception):
    """A record has more pages than any match: it is put aside with this reason."""


def records_of(channels: Channels) -> Records:
    """The records of the table service. They raise AioRpcError and ServiceError when it does not answer."""

    async def read(match_id: str) -> list[Recorded]:
        events: list[Recorded] = []
        for _ in range(_MOST_PAGES):
            answer = await channels.call(
                "table",
                match_id,
                lambda channel: TableServiceStub(channel).GetRecord,
                table.GetRecordRequest(
                    table_id=match_id,
                    viewer=table.Viewer(spectator=table.Spectator()),
                    after_version=events[-1].version if events else 0,
                ),
                _TIMEOUT_S,
            )
            events.extend(map(_recorded, answer.record.events))
            if not answer.record.events or events[-1].version >= answer.record.last_version:
                return events
        raise TooLongRecordError(f"{match_id} has more than {_MOST_PAGES} pages")

    return read


def _recorded(event: RecordedEvent) -> Recorded:
    by_seat = event.by_seat if event.HasField("by_seat") else None
    return Recorded(event.version, by_seat, event.type, event.payload)
