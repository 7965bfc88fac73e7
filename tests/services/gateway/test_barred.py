"""Who is kept out, as one gateway knows it by heart."""

from datetime import UTC, datetime, timedelta

from libs.service.tokens import PLAYER_BANNED
from services.gateway.barred import Barred
from tests.services.gateway.fakes import new_id

START = datetime(2026, 11, 30, tzinfo=UTC)


async def test_a_ban_right_after_one_that_has_ended_closes_sockets_again() -> None:
    now = START
    barred = Barred(lambda: now)
    told: list[str] = []
    barred.on_barred = lambda subject_id, _reason: told.append(subject_id)
    player = new_id()
    barred.put(player, PLAYER_BANNED, START + timedelta(hours=1))
    barred.put(player, PLAYER_BANNED, START + timedelta(hours=2))
    assert told == [player]  # a longer ban is no other one
    # Let in again by the clock alone, and nobody has looked through the list since.
    now = START + timedelta(hours=3)
    barred.put(player, PLAYER_BANNED, START + timedelta(hours=4))
    assert told == [player, player]
