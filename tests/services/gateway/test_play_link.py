"""A stream may end between any two steps of its writer and its reader: the link opens another one."""

import asyncio

import grpc
import pytest

from carteado.table.v1 import table_service_pb2 as pb
from services.gateway.limits import Limits
from services.gateway.play_link import PendingCommand, PlayLink

ANA = pb.Viewer(player_id="ana")


class EndedStream:
    """A call that has ended, as its writer sees it; the reader has not been told yet."""

    def __init__(self):
        self.is_written = asyncio.Event()

    async def wait_for_connection(self):
        return

    async def write(self, _request):
        self.is_written.set()
        raise asyncio.InvalidStateError("RPC already finished.")

    async def read(self):
        await self.is_written.wait()
        await asyncio.sleep(0)
        return grpc.aio.EOF

    def cancel(self):
        return True


async def test_a_writer_that_learns_of_the_end_before_the_reader_does_no_harm():
    opened = asyncio.Queue()

    def open_stream():
        stream = EndedStream()
        opened.put_nowait(stream)
        return stream

    link = PlayLink("127.0.0.1:1", open_stream, Limits(reconnect_first_s=0.01), lambda: None)
    running = asyncio.create_task(link.run())
    link.send(PendingCommand(1, ANA, pb.TableCommand(), 0.0))
    for _ in range(3):
        await asyncio.wait_for(opened.get(), 30)
    assert not running.done()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
