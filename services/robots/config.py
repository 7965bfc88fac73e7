"""What only the robots are configured by."""

from __future__ import annotations

import os

from libs.service.config import ConfigError

DEFAULT_PACE_MS = 900
MAX_PACE_MS = 5000


def load_pace_s() -> float:
    """How long a robot waits before it acts, in seconds, from CARTEADO_ROBOT_PACE_MS; raises ConfigError."""
    text = os.environ.get("CARTEADO_ROBOT_PACE_MS", str(DEFAULT_PACE_MS))
    if not text.isdecimal() or int(text) > MAX_PACE_MS:
        raise ConfigError(f"CARTEADO_ROBOT_PACE_MS is {text!r}: set it to milliseconds, 0 to {MAX_PACE_MS}")
    return int(text) / 1000
