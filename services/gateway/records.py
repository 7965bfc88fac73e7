"""A finished match's record as the HTTP API writes it: plain JSON, bytes in hex (docs/record.md)."""

from __future__ import annotations

import msgspec

from carteado.table.v1 import record_pb2, view_pb2

_KINDS = {view_pb2.SEAT_KIND_PERSON: "person", view_pb2.SEAT_KIND_ROBOT: "robot"}
_REASONS = {
    view_pb2.END_REASON_FINISHED: "finished",
    view_pb2.END_REASON_ABANDONED: "abandoned",
    view_pb2.END_REASON_WALKOVER: "walkover",
}


def record_json(record: record_pb2.MatchRecord) -> dict[str, object]:
    """The JSON object of a page; `next_after` stands in all but the last."""
    told: dict[str, object] = {
        "table_id": record.table_id,
        "preset": record.preset,
        "rules_version": record.rules_version,
        "switches": {switch.name: switch.value for switch in record.switches},
        "seats": [_seat(seat) for seat in record.seats],
        "result": {
            "reason": _REASONS[record.result.reason],
            "winners": list(record.result.winners),
            "score": list(record.result.score),
            "abandoned_seats": list(record.result.abandoned_seats),
        },
        "commitment": record.commitment.hex(),
        "secret": record.secret.hex(),
        "entropy": [item.hex() for item in record.entropy],
        "events": [_event(event) for event in record.events],
    }
    if record.HasField("your_seat"):
        told["your_seat"] = record.your_seat
    if record.events and record.events[-1].version < record.last_version:
        told["next_after"] = record.events[-1].version
    return told


def _seat(seat: view_pb2.Seat) -> dict[str, object]:
    told: dict[str, object] = {"index": seat.index, "kind": _KINDS[seat.kind]}
    if seat.player_id:
        told["player_id"] = seat.player_id
    return told


def _event(event: record_pb2.RecordedEvent) -> dict[str, object]:
    told: dict[str, object] = {
        "version": event.version,
        "recorded_at": event.recorded_at.ToJsonString(),
        "type": event.type,
        "schema_version": event.schema_version,
        "payload": msgspec.Raw(event.payload.encode()),
    }
    if event.HasField("by_seat"):
        told["by_seat"] = event.by_seat
    if event.state_hash:
        told["state_hash"] = event.state_hash.hex()
    return told
