"""What billing tells over NATS of its events: the only bytes of them that leave it."""

from __future__ import annotations

from carteado.billing.v1 import events_pb2 as pb
from libs.eventlog.decider import PublicMessage
from services.billing.account_events import AccountEvent, AnswerOverdue, RenewalDue
from services.billing.events import ReservationEvent, ReservationExpired

PURCHASE_DUE_SUBJECT = "carteado.billing.purchase_due.v1"
RENEWAL_DUE_SUBJECT = "carteado.billing.renewal_due.v1"
RETURN_DUE_SUBJECT = "carteado.billing.return_due.v1"
RESERVATION_EXPIRED_SUBJECT = "carteado.billing.reservation_expired.v1"
SUBJECTS = (
    PURCHASE_DUE_SUBJECT,
    RENEWAL_DUE_SUBJECT,
    RETURN_DUE_SUBJECT,
    RESERVATION_EXPIRED_SUBJECT,
)


def public_message(event: AccountEvent | ReservationEvent) -> PublicMessage | None:
    """The message that an event becomes, if it is told."""
    match event:
        case AnswerOverdue(due="purchase"):
            purchase = pb.PurchaseDue(player_id=event.player_id, passport_id=event.key)
            return PublicMessage(PURCHASE_DUE_SUBJECT, purchase.SerializeToString())
        case AnswerOverdue():
            back = pb.ReturnDue(player_id=event.player_id, return_key=event.key)
            return PublicMessage(RETURN_DUE_SUBJECT, back.SerializeToString())
        case RenewalDue():
            due = pb.RenewalDue(
                player_id=event.player_id,
                passport_id=event.passport_id,
                period=event.period,
                attempt=event.attempt,
                amount_centavos=event.amount_centavos,
            )
            due.grace_until.FromDatetime(event.grace_until)
            return PublicMessage(RENEWAL_DUE_SUBJECT, due.SerializeToString())
        case ReservationExpired():
            expired = pb.ReservationExpired(match_id=event.match_id)
            return PublicMessage(RESERVATION_EXPIRED_SUBJECT, expired.SerializeToString())
        case _:
            return None
