"""The load on the table service: many tables over a few Play streams, each table move after move.

A table sends its next move when the one before is acknowledged, that is in the log. A match that ends gives way to
the next script. With viewers, all four players of a table follow it; their frames are counted and checked to be
contiguous, and not parsed: that is a client's work.
"""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import grpc
import msgspec

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import table_service_pb2_grpc
from libs.service.credentials import Credentials
from libs.service.grpc_client import channel
from services.table.secrets import read_key
from tests.bench.jobs import PlayJob
from tests.bench.measurement import Measurement
from tests.bench.script import PLAYERS, PRESET, Script, write_scripts
from tests.bench.window import Window
from tests.bench.worker import serve

ENOUGH_MOVES_S = 10_000
"""Moves a second for which scripts are written: well above what the platform does; when they end, the run fails."""

_METHOD = "/carteado.table.v1.TableService/Play"
_MOST_ITEMS = 128
_CALL_TIMEOUT_S = 10.0
_FRAMES_TIMEOUT_S = 10.0


class PlayError(Exception):
    """The platform did not do what it must, or the scripts have ended."""


class _Match(msgspec.Struct, frozen=True):
    """A script as it is sent: the messages of its moves, and of four players who leave, with their tags."""

    table_id: str
    moves: Sequence[tuple[int, bytes]]
    leaves: Sequence[tuple[int, bytes]]


class _PlayStream:
    """One caller's stream. Messages are ready-made bytes; what queues is sent together, as the gateway does."""

    def __init__(self, address: str, credentials: Credentials, window: Window) -> None:
        self._channel = channel(address)
        self._credentials = credentials
        self._window = window
        self._stub = table_service_pb2_grpc.TableServiceStub(self._channel)
        open_stream: grpc.aio.StreamStreamMultiCallable[bytes, pb.PlayResponse] = self._channel.stream_stream(
            _METHOD, response_deserializer=pb.PlayResponse.FromString
        )
        self._call = open_stream(metadata=credentials.metadata("table"))
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._is_closing = False
        self._answers: dict[int, asyncio.Future[int]] = {}
        self._versions: list[int] = []
        self._came = asyncio.Event()

    async def create(self, table_id: str) -> None:
        """Open a table for four people."""
        request = pb.CreateTableRequest(
            table_id=table_id, preset=PRESET, seats=[pb.SeatRequest(player_id=player) for player in PLAYERS]
        )
        await self._stub.CreateTable(
            request, timeout=_CALL_TIMEOUT_S, metadata=self._credentials.metadata("table")
        )

    def attach(self, table_id: str) -> list[int]:
        """Have all players follow a table; gives the numbers of their subscriptions."""
        numbers = []
        for player in PLAYERS:
            numbers.append(len(self._versions))
            self._versions.append(0)
            attach = pb.Attach(
                subscription=numbers[-1], table_id=table_id, viewer=pb.Viewer(player_id=player)
            )
            self._send(pb.PlayRequest(items=[pb.PlayItem(attach=attach)]).SerializeToString())
        return numbers

    async def detach(self, numbers: Sequence[int], version: int) -> None:
        """End subscriptions, once they have brought everything up to a version."""
        async with asyncio.timeout(_FRAMES_TIMEOUT_S):
            while any(self._versions[number] < version for number in numbers):
                self._came.clear()
                await self._came.wait()
        items = [pb.PlayItem(detach=pb.Detach(subscription=number)) for number in numbers]
        self._send(pb.PlayRequest(items=items).SerializeToString())

    async def command(self, tag: int, message: bytes) -> int:
        """Give a command and wait for its acknowledgement: the version of the table after it."""
        answer = self._answers[tag] = asyncio.get_running_loop().create_future()
        self._send(message)
        version: int = await answer
        return version

    async def write(self) -> None:
        """Send what queues, until the stream is closed. A message is a list, so two are one written after the other."""
        while self._outbox or not self._is_closing:
            if self._outbox:
                count = min(_MOST_ITEMS, len(self._outbox))
                await self._call.write(b"".join(self._outbox.popleft() for _ in range(count)))
            else:
                self._wake.clear()
                await self._wake.wait()
        await self._call.done_writing()

    async def read(self) -> None:
        """Take what comes, until the stream is closed; raises PlayError for what should not come."""
        while True:
            response = await self._call.read()
            if not isinstance(response, pb.PlayResponse):
                break
            for item in response.items:
                kind = item.WhichOneof("reply")
                if kind == "update":
                    self._take_frame(item.update)
                elif kind == "answer":
                    self._take_answer(item.answer)
                else:
                    raise PlayError(f"a subscription ended: {item.ended.code}")
            self._came.set()
        if self._answers:
            raise PlayError(f"the stream ended and {len(self._answers)} commands are not answered")
        await self._channel.close()

    def close(self) -> None:
        """Say that nothing more will be sent."""
        self._is_closing = True
        self._wake.set()

    def _send(self, message: bytes) -> None:
        self._outbox.append(message)
        self._wake.set()

    def _take_frame(self, frame: pb.UpdateFrame) -> None:
        for number in (frame.subscription, *frame.also):
            if frame.from_version != self._versions[number]:
                raise PlayError(f"a frame from {frame.from_version} follows version {self._versions[number]}")
            self._versions[number] = frame.to_version
            self._window.note_frame()

    def _take_answer(self, answer: pb.CommandAnswer) -> None:
        outcome = answer.outcome
        if not outcome.HasField("accepted"):
            raise PlayError(f"a command was refused: {outcome.refused.code} {dict(outcome.refused.facts)}")
        self._answers.pop(answer.tag).set_result(outcome.accepted.version)


def _matches(scripts: Sequence[Script]) -> list[_Match]:
    tags = iter(range(2**63))

    def message(command: pb.PlayCommand) -> tuple[int, bytes]:
        command.tag = next(tags)
        return command.tag, pb.PlayRequest(items=[pb.PlayItem(command=command)]).SerializeToString()

    return [
        _Match(
            script.table_id,
            [message(script.command(step)) for step in script.steps],
            [message(script.leave(player)) for player in PLAYERS],
        )
        for script in scripts
    ]


async def measure(job: PlayJob) -> Measurement:
    """Acknowledged moves a second, how long each took, and the frames that viewers got meanwhile."""
    window = Window(job.seconds, job.watched, job.profiled)
    most_s = job.tables / job.interval_s if job.interval_s else ENOUGH_MOVES_S
    wanted = int(min(most_s, ENOUGH_MOVES_S) * (job.seconds + window.warm_up_s))
    matches = _matches(
        write_scripts(read_key(Path(job.table_secret)), random.Random(job.seed), wanted, tables=job.tables)
    )
    credentials = Credentials("gateway", Path(job.keys))
    # What was made ready stays; the collector would look through it again and again.
    gc.freeze()
    streams = [_PlayStream(job.address, credentials, window) for _ in range(job.streams)]
    left = iter(matches)
    window.open()
    async with asyncio.TaskGroup() as carrying:
        for stream in streams:
            carrying.create_task(stream.read())
            carrying.create_task(stream.write())
        async with asyncio.TaskGroup() as playing:
            for index in range(job.tables):
                playing.create_task(
                    _play(
                        streams[index % job.streams],
                        left,
                        window,
                        has_viewers=job.has_viewers,
                        interval_s=job.interval_s,
                    )
                )
        for stream in streams:
            stream.close()
    result = window.result()
    _, message = matches[0].moves[0]
    return msgspec.structs.replace(result, facts={**result.facts, "message_bytes": float(len(message))})


async def _play(
    stream: _PlayStream, matches: Iterator[_Match], window: Window, *, has_viewers: bool, interval_s: float
) -> None:
    """One table after another, until the window is over."""
    while not window.is_over():
        match = next(matches, None)
        if match is None:
            raise PlayError("the scripts have ended: more must be written for a platform this fast")
        await stream.create(match.table_id)
        followers = stream.attach(match.table_id) if has_viewers else []
        version = 0
        due_at = time.perf_counter() + random.uniform(0, interval_s)
        for move in match.moves:
            if interval_s:
                await asyncio.sleep(due_at - time.perf_counter())
                due_at = max(due_at, time.perf_counter() - interval_s) + interval_s
            if window.is_over():
                # A table left alone would play by itself into the next measurement.
                for leave in match.leaves:
                    version = await stream.command(*leave)
                break
            sent_at = time.perf_counter()
            version = await stream.command(*move)
            window.note(sent_at)
        await stream.detach(followers, version)


if __name__ == "__main__":
    serve(PlayJob, measure)
