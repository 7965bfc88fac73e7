"""What is said of a message that has no meaning."""

from __future__ import annotations


class WireError(ValueError):
    """A message that cannot be read: `field` is the path of the offending field."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
