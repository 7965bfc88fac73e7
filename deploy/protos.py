"""Generates libs/protos from proto/, and checks that contracts are clean, compatible and generated afresh.

`python -m deploy.protos generate|check|baseline`; the baseline is proto/baseline.binpb, the contracts as released.
"""

from __future__ import annotations

import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROTO = ROOT / "proto"
GENERATED = ROOT / "libs" / "protos"
BASELINE = PROTO / "baseline.binpb"
BIN = Path(sys.executable).parent


def generate(into: Path) -> None:
    """Writes the generated packages below `into`, each folder with an empty `__init__.py`."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    subprocess.run(
        [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            f"--proto_path={PROTO}",
            f"--python_out={into}",
            f"--grpc_python_out={into}",
            f"--plugin=protoc-gen-mypy={BIN / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={BIN / 'protoc-gen-mypy_grpc'}",
            f"--mypy_out=quiet:{into}",
            f"--mypy_grpc_out=quiet,only_async:{into}",
            *sources,
        ],
        check=True,
    )
    for path in into.rglob("*_pb2_grpc.py*"):
        if "service" not in path.name:
            path.unlink()  # messages alone: protoc writes an empty file
    for folder in [into / "carteado", *(p for p in (into / "carteado").rglob("*") if p.is_dir())]:
        (folder / "__init__.py").touch()


def stale_files(fresh: Path) -> list[str]:
    """The paths at which libs/protos differs from what protoc gives now."""

    def listing(root: Path) -> set[str]:
        return {
            str(p.relative_to(root))
            for p in root.rglob("*")
            if p.suffix in {".py", ".pyi"} and "__pycache__" not in p.parts
        }

    names = listing(fresh) ^ listing(GENERATED)
    common = sorted(listing(fresh) & listing(GENERATED))
    _, different, errors = filecmp.cmpfiles(fresh, GENERATED, common, shallow=False)
    return sorted(names | set(different) | set(errors))


def buf(*arguments: str) -> None:
    """Runs buf on proto/; raises CalledProcessError with its findings printed."""
    subprocess.run([str(BIN / "buf"), *arguments], cwd=ROOT, check=True)


def check() -> int:
    """Lint, breaking against the baseline, freshness. Returns the exit code."""
    try:
        buf("lint")
        buf("breaking", "--against", str(BASELINE.relative_to(ROOT)))
    except subprocess.CalledProcessError as error:
        return error.returncode
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        stale = stale_files(Path(folder))
    if stale:
        print("libs/protos is stale; run `make protos`:", *stale, sep="\n  ", file=sys.stderr)
        return 1
    print("protos: linted, compatible with the baseline, generated code fresh")
    return 0


def main() -> int:
    """Runs the task named on the command line."""
    match sys.argv[1:]:
        case ["generate"]:
            for old in [*GENERATED.rglob("*.py"), *GENERATED.rglob("*.pyi")]:
                old.unlink()
            generate(GENERATED)
            return 0
        case ["baseline"]:
            buf("build", "-o", str(BASELINE.relative_to(ROOT)))
            return 0
        case ["check"]:
            return check()
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
