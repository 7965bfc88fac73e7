"""The composition root of the robots: turns come from NATS, looks and moves go to the table service."""

from __future__ import annotations

import hashlib

from libs.eventlog.jetstream import PARKED, ensure_streams
from libs.eventlog.reactions import Message, consume
from libs.service.app import Context, Parts
from libs.service.grpc_client import Channels
from libs.service.log_metrics import LogMetrics
from libs.service.nats import connect
from services.robots.config import load_pace_s
from services.robots.react import CALL_TIMEOUT_S, RobotMetrics, RobotTurns

STREAM = "carteado-table-turn"
SUBJECT = "carteado.table.turn.v1"
AT_ONCE = 1000
"""Turns that wait and think at once in this process; most of them wait out the pace."""


async def build(context: Context) -> Parts:
    """Connects, and gives the parts to run."""
    config = context.config
    pace_s = load_pace_s()
    addresses = config.require_replicas("table")
    nats = await connect(config, context.log)
    await ensure_streams(nats.jetstream, [PARKED])
    channels = Channels({"table": addresses}, context.credentials)
    # The robots' chance must be secret and the same in every replica: it follows from their own private key.
    key = hashlib.sha256((config.keys / "robots.pem").read_bytes()).digest()
    turns = RobotTurns(channels, key, pace_s, RobotMetrics(context.registry))

    async def handle(message: Message) -> None:
        await turns.play(message.data)

    async def ready() -> bool:
        return nats.is_connected

    async def close() -> None:
        await channels.close()
        await nats.close()

    consuming = consume(
        nats.jetstream,
        STREAM,
        "robots",
        SUBJECT,
        handle,
        concurrency=AT_ONCE,
        ack_wait_s=(pace_s + 2 * CALL_TIMEOUT_S) / 0.75,
        # A turn lasts twenty seconds: it is tried again soon and often, rather than put aside.
        max_deliver=20,
        longest_pause_s=1.5,
        observations=LogMetrics(context.registry),
    )
    return Parts(background=[consuming], ready=ready, close=close)
