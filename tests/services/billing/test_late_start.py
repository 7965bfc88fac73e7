"""Billing that starts, or is restored, later than the message bus remembers."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from carteado.billing.v1 import access_service_pb2 as pb
from libs.eventlog.postgres import PostgresStore
from libs.eventlog.relay import Relay
from libs.eventlog.relay_status import rewind
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import PARTITIONS
from libs.service.database import ensure_database
from services.accounts.decider import PLAYER, ErasePlayer, RegisterPlayer
from services.accounts.events import player_events
from services.billing.catalogue import CURRENT
from tests.services.billing.running import Billing, until

pytestmark = pytest.mark.integration


async def test_a_relay_of_accounts_that_is_rewound_tells_billing_of_accounts_older_than_the_stream(
    running_billing: Billing, clean_postgres: str, jetstream: Any
) -> None:
    billing = running_billing
    await ensure_database(clean_postgres, "accounts")
    conninfo = f"{clean_postgres} dbname=carteado_accounts"
    store = await PostgresStore.open(conninfo)
    players: Runtime[Any, Any, Any] = Runtime(PLAYER, player_events(), store)
    ana, gone = str(uuid4()), str(uuid4())
    for one in (ana, gone):
        body = RegisterPlayer(one)
        await players.handle(one, body, command_id=str(uuid4()), actor=f"player:{one}")
    await players.handle(gone, ErasePlayer(), command_id=str(uuid4()), actor=f"player:{gone}")
    with psycopg.connect(conninfo, autocommit=True) as connection:
        # All of it was published long ago, and has left the stream since.
        connection.execute(
            "UPDATE relay_positions r SET position = c.position FROM partition_counters c"
            " WHERE c.partition = r.partition"
        )
        (registered_at,) = connection.execute(
            "SELECT recorded_at FROM events WHERE stream LIKE %s", (f"%{ana}",)
        ).fetchone() or (None,)
    relay = Relay(conninfo, jetstream, "accounts")
    await relay.start()
    assert (await billing.check(ana)).reason == pb.ACCESS_REASON_UNKNOWN_PLAYER
    for partition in range(PARTITIONS):
        await rewind(conninfo, partition, 0)

    async def is_known() -> bool:
        return (await billing.check(ana)).reason == pb.ACCESS_REASON_TRIAL

    async def is_gone() -> bool:
        return not (await billing.check(gone, preset="sueca")).is_allowed

    await until(is_known)
    await until(is_gone)
    assert registered_at is not None
    trial_until = (await billing.account(ana)).trial_until.ToDatetime(UTC)
    assert abs(trial_until - (registered_at + CURRENT.trial)) < timedelta(milliseconds=1)
    await relay.stop()
    await players.close()
    await store.close()
