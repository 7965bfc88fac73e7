"""One viewer's updates of one table as a stream of their own: for callers that need no commands."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.service.errors import COMMON, UNAVAILABLE
from services.table.errors import ERRORS
from services.table.tables import Tables
from services.table.updates import Frame

MAX_QUEUED = 256


class WatchStream:
    """What one Watch call is answered with."""

    def __init__(self, tables: Tables, request: pb.WatchRequest, caller: str) -> None:
        """Raises ServiceError for what is malformed or not allowed; `caller` is the verified calling service."""
        self._tables = tables
        self._frames: deque[Frame] = deque()
        self._ended = ""
        self._wake = asyncio.Event()
        self._subscription = tables.subscription(
            request.table_id, request.viewer, request.last_version, caller, self._deliver, self._end
        )

    async def responses(self) -> AsyncIterator[pb.WatchResponse]:
        """The updates, until the caller goes; raises ServiceError when there are no more, after the last one."""
        self._tables.live.attach(self._subscription)
        self._tables.open_streams.add(self._leave)
        try:
            while True:
                if self._frames:
                    update = view_pb2.TableUpdate.FromString(self._frames.popleft()[0])
                    yield pb.WatchResponse(update=update)
                elif self._ended:
                    raise (COMMON if self._ended in COMMON else ERRORS)[self._ended].error()
                else:
                    self._wake.clear()
                    await self._wake.wait()
        finally:
            self._tables.open_streams.discard(self._leave)
            self._tables.live.detach(self._subscription)

    def _deliver(self, frame: Frame) -> None:
        if len(self._frames) < MAX_QUEUED:
            self._frames.append(frame)
            self._wake.set()
        else:
            self._tables.live.detach(self._subscription)
            self._end("SLOW_CONSUMER")

    def _leave(self) -> None:
        self._end(UNAVAILABLE.code)

    def _end(self, code: str) -> None:
        self._ended = self._ended or code
        self._wake.set()
