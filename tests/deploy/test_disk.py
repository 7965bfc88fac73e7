"""A disk that fills up while the stack runs is told of once, and so is its end."""

from pathlib import Path

from deploy.local.disk import ENOUGH_MB, FULL_MB, DiskNews, DiskWatch

OURS, POSTGRES = Path("/ours"), Path("/postgres")


class Disks:
    def __init__(self):
        self.free_mb = {OURS: 1000, POSTGRES: 1000}

    def free_bytes(self, folder):
        return self.free_mb[folder] * 1_000_000


def test_a_full_disk_is_told_once_and_space_again_once():
    disks = Disks()
    watch = DiskWatch([OURS, POSTGRES], disks.free_bytes)
    told = []
    for free_mb in (1000, FULL_MB, FULL_MB - 1, 0, FULL_MB, ENOUGH_MB - 1, ENOUGH_MB, 1000, 0):
        disks.free_mb[POSTGRES] = free_mb
        told.append(watch.look())
    full, again = DiskNews.FULL, DiskNews.SPACE_AGAIN
    assert told == [None, None, full, None, None, None, again, None, full]


def test_the_fullest_disk_counts():
    disks = Disks()
    disks.free_mb[OURS] = 7
    assert DiskWatch([OURS, POSTGRES], disks.free_bytes).free_mb == 7


def test_a_real_folder_has_a_disk(tmp_path):
    assert DiskWatch([tmp_path]).free_mb > 0
