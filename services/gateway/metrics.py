"""What operators see of the gateway."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge


class GatewayMetrics:
    """Counters and gauges under `carteado_gateway_`."""

    def __init__(
        self,
        registry: CollectorRegistry,
        table_links_up: Callable[[], float],
        barred: Callable[[], float] = lambda: 0,
    ) -> None:
        """`table_links_up` tells how many table replicas are reached, `barred` how many are kept out, when asked."""
        self.sockets_open = Gauge(
            "carteado_gateway_sockets_open", "WebSockets that are open.", registry=registry
        )
        self.messages = Counter(
            "carteado_gateway_messages",
            "Messages over WebSockets, by direction (in, out).",
            ("direction",),
            registry=registry,
        )
        self.refused = Counter(
            "carteado_gateway_refused",
            "Requests, messages and sockets answered with an error of this gateway, by code.",
            ("code",),
            registry=registry,
        )
        links = Gauge(
            "carteado_gateway_table_links_up", "Table replicas that are reached.", registry=registry
        )
        links.set_function(table_links_up)
        kept_out = Gauge(
            "carteado_gateway_barred",
            "Revoked sessions, banned and erased players that are kept out.",
            registry=registry,
        )
        kept_out.set_function(barred)
