"""What the log observes can be read at /metrics."""

import inspect

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest

from libs.eventlog.metrics import NoObservations, Observations
from libs.service.log_metrics import LogMetrics


def test_every_observation_has_its_metric():
    registry = CollectorRegistry()
    metrics = LogMetrics(registry)
    arguments = {
        "category": "table",
        "result": "done",
        "code": "STALE",
        "seconds": 0.5,
        "events": 3,
        "commands": 2,
        "late_s": 0.2,
        "partition": 7,
        "messages": 4,
        "age_s": 1.5,
        "durable": "robots",
        "projection": "matches",
    }
    before = generate_latest(registry)
    observed = [name for name in vars(Observations) if not name.startswith("_")]
    assert set(observed) == {name for name in vars(NoObservations) if not name.startswith("_")}
    for name in observed:
        method = getattr(metrics, name)
        method(*(arguments[parameter] for parameter in inspect.signature(method).parameters))
        after = generate_latest(registry)
        assert after != before, f"{name} leaves no trace"
        before = after
    assert b'carteado_relay_backlog_messages{partition="7"} 4.0' in before
