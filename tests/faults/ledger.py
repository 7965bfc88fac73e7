"""What was promised, compared with what stands in the log."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import psycopg

from deploy.local import discover
from tests.deploy.stack import Stack
from tests.faults.players import Player


def assert_kept(stack: Stack, players: Sequence[Player]) -> None:
    """All matches ended, every acknowledged command stands in the log exactly once, and the log verifies."""
    assert [refusal for player in players for refusal in player.refusals] == []
    assert all(player.client is not None and player.client.is_over for player in players)
    logged = occurrences(discover(stack.data).postgres)
    for player in players:
        for promise in player.promises:
            versions = logged.get((promise.table_id, promise.command_id), [])
            assert len(versions) == 1, f"command {promise.command_id} stands {len(versions)} times in the log"
            assert versions[0] <= promise.version
    verified = subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / "carteado"), "log", "verify", "--data", str(stack.data)],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env={**os.environ, "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))},
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert verified.stdout.startswith("all is well")


def occurrences(postgres: str) -> dict[tuple[str, str], list[int]]:
    """The first version of each command in the log, by table and command id."""
    found: dict[tuple[str, str], list[int]] = {}
    with psycopg.connect(postgres, dbname="carteado_table") as connection:
        rows = connection.execute(
            "SELECT stream, command_id::text, version FROM events WHERE command_id IS NOT NULL"
        )
        for stream, command_id, version in rows:
            found.setdefault((stream.split("-", 2)[2], command_id), []).append(version)
    return found
