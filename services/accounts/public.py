"""What accounts tells the other services of its events: the only bytes of them that leave it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from google.protobuf.timestamp_pb2 import Timestamp

from carteado.accounts.v1 import events_pb2 as pb
from libs.eventlog.decider import PublicMessage
from services.accounts.events import (
    BanReason,
    PlayerBanned,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerUnbanned,
    RevocationReason,
    SessionRevoked,
)

REGISTERED_SUBJECT = "carteado.accounts.registered.v1"
SESSION_REVOKED_SUBJECT = "carteado.accounts.session_revoked.v1"
BANNED_SUBJECT = "carteado.accounts.banned.v1"
UNBANNED_SUBJECT = "carteado.accounts.unbanned.v1"
ERASED_SUBJECT = "carteado.accounts.erased.v1"
SUBJECTS = (REGISTERED_SUBJECT, SESSION_REVOKED_SUBJECT, BANNED_SUBJECT, UNBANNED_SUBJECT, ERASED_SUBJECT)

BAN_REASONS: Mapping[BanReason, pb.BanReason.ValueType] = {
    "abusive_chat": pb.BAN_REASON_ABUSIVE_CHAT,
    "cheating": pb.BAN_REASON_CHEATING,
    "multiple_accounts": pb.BAN_REASON_MULTIPLE_ACCOUNTS,
    "offensive_name": pb.BAN_REASON_OFFENSIVE_NAME,
    "payment_fraud": pb.BAN_REASON_PAYMENT_FRAUD,
    "other": pb.BAN_REASON_OTHER,
}
_REVOCATIONS: Mapping[RevocationReason, pb.RevocationReason.ValueType] = {
    "signed_out": pb.REVOCATION_REASON_SIGNED_OUT,
    "refresh_token_reused": pb.REVOCATION_REASON_REFRESH_TOKEN_REUSED,
    "too_many": pb.REVOCATION_REASON_TOO_MANY,
}


def public_message(event: PlayerEvent) -> PublicMessage:
    """The message that an event becomes."""
    match event:
        case PlayerRegistered():
            registered = pb.PlayerRegistered(player_id=event.player_id)
            return PublicMessage(REGISTERED_SUBJECT, registered.SerializeToString())
        case SessionRevoked():
            revoked = pb.SessionRevoked(
                player_id=event.player_id,
                session_id=event.session_id,
                reason=_REVOCATIONS[event.reason],
                until=timestamp(event.until),
            )
            return PublicMessage(SESSION_REVOKED_SUBJECT, revoked.SerializeToString())
        case PlayerBanned():
            banned = pb.PlayerBanned(player_id=event.player_id, reason=BAN_REASONS[event.reason])
            if event.until is not None:
                banned.until.CopyFrom(timestamp(event.until))
            return PublicMessage(BANNED_SUBJECT, banned.SerializeToString())
        case PlayerUnbanned():
            unbanned = pb.PlayerUnbanned(player_id=event.player_id)
            return PublicMessage(UNBANNED_SUBJECT, unbanned.SerializeToString())
        case PlayerErased():
            erased = pb.PlayerErased(player_id=event.player_id)
            return PublicMessage(ERASED_SUBJECT, erased.SerializeToString())
        case _:
            assert_never(event)


def timestamp(moment: datetime) -> Timestamp:
    """A time as a message."""
    message = Timestamp()
    message.FromDatetime(moment)
    return message
