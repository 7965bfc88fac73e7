"""How fast one client may speak."""

from __future__ import annotations


class TokenBucket:
    """Allows `burst` things at once and `per_s` of them each second in the long run. Reads no clock itself."""

    def __init__(self, per_s: float, burst: int, now_s: float) -> None:
        """`now_s` is any clock that only goes forward."""
        self._per_s = per_s
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at_s = now_s

    def take(self, now_s: float) -> bool:
        """Takes one token; False when there is none."""
        self._tokens = min(self._burst, self._tokens + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True
