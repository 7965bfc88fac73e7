"""Builds the wheel and imports each service from it, installed with that service's own extra and nothing else.

`python -m deploy.wheel`: proves that an import path is the folder path in the wheel too, and that no service leans on
another's dependencies or on those of development. The environments are temporary.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent

IMPORTS = {
    "": ("libs.rules.registry", "libs.rules.truco.game"),
    "table": ("services.table.app", "carteado.table.v1.table_service_pb2_grpc"),
    "robots": ("services.robots.app",),
    "accounts": ("services.accounts.app",),
    "league": ("services.league.app", "carteado.league.v1.league_service_pb2_grpc"),
    "billing": ("services.billing.app", "carteado.billing.v1.access_service_pb2_grpc"),
    "matchmaking": ("services.matchmaking.app", "carteado.matchmaking.v1.matchmaking_service_pb2_grpc"),
    "gateway": ("services.gateway.app",),
    "cli": ("libs.cli.main", "libs.cli.play"),
    "local": (
        "deploy.local",
        "deploy.local.supervisor",
        "libs.cli.up",
        "libs.cli.log",
        "services.table.log",
        "services.accounts.log",
        "services.league.log",
        "services.billing.log",
        "services.matchmaking.log",
    ),
}
"""What each extra must be enough for."""

ALSO = {"gateway": "from services.gateway.page import Page; Page()"}
"""What the wheel must hold beside modules: the page's files."""


def build(into: Path) -> Path:
    """Builds the wheel into a folder and gives its path."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)], cwd=ROOT)
    return next(into.glob("*.whl"))


def check_extra(wheel: Path, extra: str, folder: Path) -> None:
    """Installs the wheel with one extra into an environment of its own and imports what it is for."""
    environment = folder / (extra or "rules")
    uv = str(BIN / "uv")
    run([uv, "venv", "--quiet", "--python", sys.executable, str(environment)])
    python = str(environment / "bin" / "python")
    requirement = f"carteado[{extra}] @ file://{wheel}" if extra else f"carteado @ file://{wheel}"
    lock = str(ROOT / "requirements.lock")
    run([uv, "pip", "install", "--quiet", "--python", python, "--constraint", lock, requirement])
    modules = ", ".join(IMPORTS[extra])
    run([python, "-I", "-c", f"import {modules}\n{ALSO.get(extra, '')}"], cwd=folder)


def run(command: list[str], cwd: Path | None = None) -> None:
    """Runs a command within four minutes; raises CalledProcessError with its output printed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        done.check_returncode()


def main() -> int:
    """Checks every extra; prints one line."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        try:
            with ThreadPoolExecutor(max_workers=2) as pool:
                list(pool.map(lambda extra: check_extra(wheel, extra, folder), IMPORTS))
        except subprocess.CalledProcessError as error:
            print(f"wheel: failed: {' '.join(error.cmd)}", file=sys.stderr)
            return 1
    print(f"wheel: {wheel.name} imports with each of its extras alone: {', '.join(filter(None, IMPORTS))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
