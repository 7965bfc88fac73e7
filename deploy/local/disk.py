"""Watches the disks while the stack runs: when one is full, no move can be stored, and nothing else would say why."""

import errno
import shutil
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path

FULL_MB = 32
"""Below this the disk counts as full: a segment of Postgres's log takes 16 MB."""

ENOUGH_MB = 64
"""From here on it has space again; apart from the other bound, so that the two don't follow each other all the time."""


def is_for_want_of_space(error: OSError) -> bool:
    """Whether something failed because the disk, or what one may have of it, is full."""
    return error.errno in {errno.ENOSPC, errno.EDQUOT}


class DiskNews(Enum):
    """What has changed since the last look."""

    FULL = auto()
    SPACE_AGAIN = auto()


class DiskWatch:
    """Looks at the disks of some folders; each change is told once."""

    def __init__(self, folders: Sequence[Path], free_bytes: Callable[[Path], int] | None = None) -> None:
        """The folders exist. `free_bytes` is for tests."""
        self._folders = folders
        self._free_bytes = free_bytes or _free_bytes
        self._is_full = False

    @property
    def free_mb(self) -> int:
        """The space on the fullest disk."""
        return min(self._free_bytes(folder) for folder in self._folders) // 1_000_000

    def look(self) -> DiskNews | None:
        """What is new, if anything is."""
        free_mb = self.free_mb
        if not self._is_full and free_mb < FULL_MB:
            self._is_full = True
            return DiskNews.FULL
        if self._is_full and free_mb >= ENOUGH_MB:
            self._is_full = False
            return DiskNews.SPACE_AGAIN
        return None


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free
