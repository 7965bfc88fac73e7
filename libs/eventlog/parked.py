"""Messages that no handler could deal with: put aside with the reason, listed, and driven again by an operator.

A re-driven message goes to its own subject, so every consumer of that subject gets it, under the id that it always had:
reactions derive their command ids from that id, so whoever has dealt with it before does nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from libs.eventlog.jetstream import PARKED
from libs.eventlog.relay import EVENT_ID, MESSAGE_ID

_SUBJECT: Final = "carteado.parked."
_REASON: Final = "Carteado-Parked-Reason"
_FROM: Final = "Carteado-Parked-Subject"
_ID: Final = "Carteado-Parked-Id"
_STREAM: Final = "Carteado-Parked-Stream"
_LONGEST_REASON: Final = 500
_TIMEOUT_S: Final = 5.0


class ParkedMessage(msgspec.Struct, frozen=True):
    """A message that was put aside. `sequence` names it among all that are parked; `id` is the one it always had."""

    sequence: int
    durable: str
    id: str
    subject: str
    stream: str
    reason: str
    parked_at: datetime
    data: bytes
    headers: Mapping[str, str]


async def park(
    js: JetStreamContext,
    *,
    durable: str,
    stream: str,
    delivered: str,
    id: str,
    subject: str,
    data: bytes,
    headers: Mapping[str, str],
    reason: str,
) -> None:
    """Put a message aside. `delivered` names this delivery of it: parking that twice keeps it once.

    Raises nats.errors.Error when it cannot be kept.
    """
    safe = reason.encode("ascii", "backslashreplace").decode().replace("\n", " ").replace("\r", " ")
    await js.publish(
        _SUBJECT + durable,
        data,
        timeout=_TIMEOUT_S,
        headers={
            **headers,
            # A message that is driven again and fails again is another delivery, and is kept again.
            MESSAGE_ID: f"{durable}-{delivered}",
            _REASON: safe[:_LONGEST_REASON],
            _FROM: subject,
            _ID: id,
            _STREAM: stream,
        },
    )


async def count_parked(js: JetStreamContext, durable: str) -> int:
    """How many messages of a consumer are parked now. Raises nats.errors.Error."""
    subject = _SUBJECT + durable
    info = await js.stream_info(PARKED.name, subjects_filter=subject)
    return (info.state.subjects or {}).get(subject, 0)


async def list_parked(js: JetStreamContext, durable: str | None = None) -> AsyncIterator[ParkedMessage]:
    """The parked messages of a consumer, or of all, the oldest first; one request each. Raises nats.errors.Error."""
    subject, sequence = _SUBJECT + (durable or ">"), 1
    while True:
        try:
            raw = await js.get_msg(PARKED.name, seq=sequence, subject=subject, next=True)
        except NotFoundError:
            return
        headers = dict(raw.headers or {})
        found, sequence = raw.seq or sequence, (raw.seq or sequence) + 1
        yield ParkedMessage(
            sequence=found,
            durable=(raw.subject or "").removeprefix(_SUBJECT),
            id=headers.get(_ID, ""),
            subject=headers.get(_FROM, ""),
            stream=headers.get(_STREAM, ""),
            reason=headers.get(_REASON, ""),
            parked_at=raw.time or datetime.fromtimestamp(0, UTC),
            data=raw.data or b"",
            headers=headers,
        )


async def redrive(js: JetStreamContext, parked: ParkedMessage) -> None:
    """Send a parked message to its subject again, and then forget that it was parked.

    When only the first is done, it is still parked; driving it once more within ten minutes sends nothing, and later
    sends it again, which is harmless. Raises nats.errors.Error (it is still parked).
    """
    headers = {
        name: value for name, value in parked.headers.items() if name not in {_REASON, _FROM, _ID, _STREAM}
    }
    # JetStream would drop the id that it has seen; consumers go by the event's id, which stays.
    headers[MESSAGE_ID] = f"redriven-{parked.sequence}-{parked.parked_at.timestamp():.6f}"
    headers[EVENT_ID] = parked.id
    await js.publish(parked.subject, parked.data, timeout=_TIMEOUT_S, headers=headers)
    await js.delete_msg(PARKED.name, parked.sequence)
