"""What billing tells over NATS of its events: the only bytes of them that leave it."""

from __future__ import annotations

from carteado.billing.v1 import events_pb2 as pb
from libs.eventlog.decider import PublicMessage
from services.billing.events import AccountEvent, RenewalDue

RENEWAL_DUE_SUBJECT = "carteado.billing.renewal_due.v1"
SUBJECTS = (RENEWAL_DUE_SUBJECT,)


def public_message(event: AccountEvent) -> PublicMessage | None:
    """The message that an event becomes, if it is told."""
    if not isinstance(event, RenewalDue):
        return None
    due = pb.RenewalDue(
        player_id=event.player_id,
        passport_id=event.passport_id,
        period=event.period,
        attempt=event.attempt,
        amount_centavos=event.amount_centavos,
    )
    due.grace_until.FromDatetime(event.grace_until)
    return PublicMessage(RENEWAL_DUE_SUBJECT, due.SerializeToString())
