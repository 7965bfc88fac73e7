"""JetStream streams as values: a service declares the ones that its public messages go to, and makes them at start."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError


class StreamSpec(msgspec.Struct, frozen=True):
    """A stream: a work queue, whose messages go once they are acknowledged, or a log of `max_age_s`.

    Subjects of two streams may not overlap. Within `duplicate_window_s` a message id is stored once.
    """

    name: str
    subjects: tuple[str, ...]
    is_work_queue: bool = False
    max_age_s: float = 14 * 24 * 3600
    duplicate_window_s: float = 600
    replicas: int = 1


PARKED = StreamSpec("carteado-parked", ("carteado.parked.>",), max_age_s=90 * 24 * 3600)
"""Where messages go that no consumer could handle, with the reason."""


async def ensure_streams(js: JetStreamContext, specs: Iterable[StreamSpec]) -> None:
    """Create the streams, or bring them to what is declared. Safe to run from every replica at once.

    Raises nats.errors.Error when NATS cannot be reached or refuses a stream.
    """
    for spec in specs:
        config = StreamConfig(
            name=spec.name,
            subjects=list(spec.subjects),
            retention=RetentionPolicy.WORK_QUEUE if spec.is_work_queue else RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            discard=DiscardPolicy.OLD,
            max_age=spec.max_age_s,
            duplicate_window=spec.duplicate_window_s,
            num_replicas=spec.replicas,
        )
        try:
            await js.update_stream(config)
        except NotFoundError:
            await js.add_stream(config)
