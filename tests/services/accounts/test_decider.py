"""A player's account as the log knows it: registered, signed out, banned, erased; ids and nothing else."""

from datetime import datetime, timedelta
from typing import get_args
from uuid import uuid4

import msgspec
import pytest

from carteado.accounts.v1 import events_pb2 as pb
from libs.eventlog.decider import Command
from libs.eventlog.testing import NOON, assert_laws, given
from libs.service.tokens import LONGEST_TOKEN_LIFE
from services.accounts.decider import (
    PLAYER,
    BanPlayer,
    ErasePlayer,
    RegisterPlayer,
    RevokeSession,
    UnbanPlayer,
)
from services.accounts.events import (
    BanReason,
    PlayerBanned,
    PlayerErased,
    PlayerRegistered,
    PlayerUnbanned,
    SessionRevoked,
    pair_events,
    player_events,
)
from services.accounts.public import SUBJECTS, public_message

PLAYER_ID = "0f1e2d3c-4b5a-5697-8897-a6b5c4d3e2f1"
SESSION_ID = "11111111-2222-4333-8444-555555555555"
NOTE_ID = "99999999-2222-4333-8444-555555555555"
LATER = NOON + timedelta(days=3)
REGISTERED = PlayerRegistered(PLAYER_ID)
BANNED = PlayerBanned(PLAYER_ID, "cheating", NOTE_ID, LATER)


def revoked(session_id: str = SESSION_ID, reason="signed_out") -> SessionRevoked:
    return SessionRevoked(PLAYER_ID, session_id, reason, NOON + LONGEST_TOKEN_LIFE + timedelta(minutes=1))


def test_a_new_player_is_registered():
    after = given(PLAYER).when(RegisterPlayer(PLAYER_ID)).then(REGISTERED)
    assert after.state.is_registered


def test_a_registered_player_is_not_registered_again():
    given(PLAYER, REGISTERED).when(RegisterPlayer(PLAYER_ID)).then_rejected("ALREADY_REGISTERED")


@pytest.mark.parametrize(
    "body",
    [
        RevokeSession(SESSION_ID, "signed_out"),
        BanPlayer("other", NOTE_ID, None),
        UnbanPlayer(NOTE_ID),
        ErasePlayer(),
    ],
)
def test_nothing_is_done_about_nobody_or_about_who_was_erased(body):
    given(PLAYER).when(body).then_rejected("PLAYER_NOT_FOUND")
    given(PLAYER, REGISTERED, PlayerErased(PLAYER_ID)).when(body).then_rejected("PLAYER_ERASED")


def test_a_revoked_session_is_remembered_as_long_as_a_token_of_it_could_live():
    body = RevokeSession(SESSION_ID, "signed_out")
    after = given(PLAYER, REGISTERED).when(body).then(revoked())
    assert after.state.revoked == (SESSION_ID,)
    after.when(RevokeSession(SESSION_ID, "too_many")).then_rejected("SESSION_REVOKED")


def test_the_state_of_a_player_stays_small_however_often_they_sign_out():
    sessions = [str(uuid4()) for _ in range(200)]
    state = given(PLAYER, REGISTERED, *(revoked(session_id) for session_id in sessions)).state
    assert state.revoked == tuple(sessions[-64:])


def test_a_ban_runs_to_its_time_and_no_longer():
    after = given(PLAYER, REGISTERED).when(BanPlayer("cheating", NOTE_ID, LATER)).then(BANNED)
    assert after.state.running_ban(LATER - timedelta(microseconds=1)) is not None
    assert after.state.running_ban(LATER) is None
    after.when(UnbanPlayer(NOTE_ID), at=LATER).then_rejected("NOT_BANNED")


def test_a_ban_for_ever_ends_by_an_operator_alone():
    for_ever = PlayerBanned(PLAYER_ID, "payment_fraud", NOTE_ID, None)
    after = given(PLAYER, REGISTERED).when(BanPlayer("payment_fraud", NOTE_ID, None)).then(for_ever)
    assert after.state.running_ban(NOON + timedelta(days=36_500)) is not None
    lifted = after.when(UnbanPlayer(NOTE_ID)).then(PlayerUnbanned(PLAYER_ID, NOTE_ID))
    assert lifted.state.running_ban(NOON) is None
    lifted.when(UnbanPlayer(NOTE_ID)).then_rejected("NOT_BANNED")


def test_a_second_ban_replaces_the_first():
    longer = PlayerBanned(PLAYER_ID, "other", NOTE_ID, LATER + timedelta(days=1))
    after = given(PLAYER, REGISTERED, BANNED).when(BanPlayer("other", NOTE_ID, longer.until)).then(longer)
    assert after.state.running_ban(LATER).until == longer.until


@pytest.mark.parametrize("until", [NOON, NOON - timedelta(seconds=1)])
def test_a_ban_that_would_be_over_is_refused(until: datetime):
    given(PLAYER, REGISTERED).when(BanPlayer("other", NOTE_ID, until)).then_rejected("BAN_END_IN_THE_PAST")


def test_an_erased_player_is_the_end_of_the_stream_and_stays_banned():
    after = given(PLAYER, REGISTERED, BANNED).when(ErasePlayer()).then(PlayerErased(PLAYER_ID))
    assert PLAYER.is_ended(after.state)
    assert after.state.running_ban(NOON) is not None
    after.when(RegisterPlayer(PLAYER_ID)).then_rejected("PLAYER_ERASED")


def test_it_keeps_the_laws_of_every_decider():
    bodies = [
        RegisterPlayer(PLAYER_ID),
        RegisterPlayer(PLAYER_ID),
        RevokeSession(SESSION_ID, "refresh_token_reused"),
        BanPlayer("abusive_chat", NOTE_ID, LATER),
        UnbanPlayer(NOTE_ID),
        BanPlayer("multiple_accounts", NOTE_ID, None),
        ErasePlayer(),
    ]
    commands = [Command(str(uuid4()), "player:x", NOON, body) for body in bodies]
    assert assert_laws(PLAYER, commands).is_erased


STORED = {
    "PlayerRegistered": (REGISTERED, f'{{"player_id":"{PLAYER_ID}"}}'),
    "SessionRevoked": (
        revoked(),
        f'{{"player_id":"{PLAYER_ID}","session_id":"{SESSION_ID}","reason":"signed_out","until":"2026-01-02T12:01:00Z"}}',
    ),
    "PlayerBanned": (
        BANNED,
        f'{{"player_id":"{PLAYER_ID}","reason":"cheating","note_id":"{NOTE_ID}","until":"2026-01-04T12:00:00Z"}}',
    ),
    "PlayerUnbanned": (
        PlayerUnbanned(PLAYER_ID, NOTE_ID),
        f'{{"player_id":"{PLAYER_ID}","note_id":"{NOTE_ID}"}}',
    ),
    "PlayerErased": (PlayerErased(PLAYER_ID), f'{{"player_id":"{PLAYER_ID}"}}'),
}


def test_the_stored_form_of_an_event_is_this_for_ever():
    registry = player_events()
    assert set(registry.names) == set(STORED)
    for name, (event, payload) in STORED.items():
        assert registry.encode(event) == (name, 1, payload.encode())
        assert registry.decode(name, 1, payload) == event


def test_no_event_has_a_field_for_a_name_or_a_text():
    """Names, texts, contacts and subjects are never in an event."""
    allowed = {"player_id", "session_id", "note_id", "reason", "until", "by", "other"}
    for registry in (player_events(), pair_events()):
        for _, _, event_type in registry.types():
            assert {field.name for field in msgspec.structs.fields(event_type)} <= allowed


@pytest.mark.parametrize("name", STORED)
def test_each_event_is_told_to_the_other_services_without_the_operators_note(name):
    event, _ = STORED[name]
    told = public_message(event)
    assert told.subject in SUBJECTS
    message = getattr(pb, name).FromString(told.data)
    assert message.player_id == PLAYER_ID
    assert NOTE_ID.encode() not in told.data


@pytest.mark.parametrize("reason", get_args(BanReason))
def test_every_reason_of_a_ban_has_a_public_code(reason):
    told = public_message(PlayerBanned(PLAYER_ID, reason, NOTE_ID, None))
    message = pb.PlayerBanned.FromString(told.data)
    assert pb.BanReason.Name(message.reason) == f"BAN_REASON_{reason.upper()}"
    assert not message.HasField("until")
