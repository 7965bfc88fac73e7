"""What only the gateway is configured by."""

from __future__ import annotations

import os

from libs.service.config import ConfigError
from services.gateway.limits import Limits

_SOCKETS = "CARTEADO_GATEWAY_SOCKETS_PER_PLAYER"


def load_limits() -> Limits:
    """The gateway's bounds; raises ConfigError for one that is set to what is no number."""
    limits = Limits()
    text = os.environ.get(_SOCKETS, str(limits.sockets_per_player))
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= limits.sockets):
        raise ConfigError(f"{_SOCKETS} is {text!r}: set it to a number of sockets, 1 to {limits.sockets}")
    return Limits(sockets_per_player=int(text))
