"""How fast one client may speak, and one player ask."""

from __future__ import annotations

from collections import OrderedDict

_MAX_KEYS = 10_000


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


class Buckets:
    """A bucket for each of many keys; of those that were not used for long it forgets what they took."""

    def __init__(self, per_s: float, burst: int) -> None:
        """Each key has the same bucket."""
        self._per_s = per_s
        self._burst = burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str, now_s: float) -> bool:
        """Takes one token of this key's; False when there is none."""
        bucket = self._buckets.pop(key, None) or TokenBucket(self._per_s, self._burst, now_s)
        self._buckets[key] = bucket
        if len(self._buckets) > _MAX_KEYS:
            self._buckets.popitem(last=False)
        return bucket.take(now_s)


class Pauses:
    """Who has flooded, and is let in again only after a while: to come back at once would cost others as much as to go on."""

    def __init__(self, pause_s: float) -> None:
        """Nobody has."""
        self._pause_s = pause_s
        self._until_s: OrderedDict[str, float] = OrderedDict()

    def begin(self, key: str, now_s: float) -> None:
        """This one pauses from now on."""
        self._until_s.pop(key, None)
        self._until_s[key] = now_s + self._pause_s
        if len(self._until_s) > _MAX_KEYS:
            self._until_s.popitem(last=False)

    def has(self, key: str, now_s: float) -> bool:
        """Whether this one still pauses."""
        return now_s < self._until_s.get(key, now_s)
