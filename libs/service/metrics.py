"""Metrics that every service has: its build, its process, and its gRPC calls by method and outcome."""

from __future__ import annotations

from importlib.metadata import version

import grpc
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def new_registry(service: str) -> CollectorRegistry:
    """A registry of one process with its build and process metrics; the service adds its own."""
    registry = CollectorRegistry(auto_describe=True)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    build = Gauge(
        "carteado_build_info", "1; the labels say what runs", ["service", "version"], registry=registry
    )
    build.labels(service, version("carteado")).set(1)
    return registry


class GrpcServerMetrics:
    """Calls that the server has answered, and how long they took (a stream: from its opening to its end)."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Registers the metrics; once per registry."""
        self._requests = Counter(
            "carteado_grpc_requests",
            "Calls answered, by method and status",
            ["method", "code"],
            registry=registry,
        )
        self._seconds = Histogram(
            "carteado_grpc_request_seconds",
            "Seconds from a call's arrival to its end",
            ["method"],
            buckets=_SECONDS,
            registry=registry,
        )

    def observe(self, method: str, code: grpc.StatusCode, seconds: float) -> None:
        """Counts one call that has ended."""
        self._requests.labels(method, code.name).inc()
        self._seconds.labels(method).observe(seconds)
