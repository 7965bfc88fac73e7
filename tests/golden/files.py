"""Where golden files are, and the manifest by which an edited one is noticed.

A stored event is never altered, so a sample of one is never edited either. `python -m tests.golden.files` writes new
files into MANIFEST (as `sha256sum` would) and refuses to change a line that is there.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "MANIFEST"

HOW_TO_ADD = (
    "tests/golden/README.md says how to add one: write the file, then run `python -m tests.golden.files`. "
    "A file that is there is never edited or removed: logs of that form are stored for ever."
)


def golden_files() -> dict[str, str]:
    """Every golden file, by its path below this folder, with the hash of its bytes."""
    files = [path for kind in ("samples", "logs") for path in (FOLDER / kind).rglob("*.json*")]
    return {
        path.relative_to(FOLDER).as_posix(): sha256(path.read_bytes()).hexdigest() for path in sorted(files)
    }


def manifest() -> dict[str, str]:
    """The files as they were when they were added."""
    lines = MANIFEST.read_text(encoding="utf-8").splitlines() if MANIFEST.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def main() -> int:
    """Add what is new; gives 1 and changes nothing when something was edited or removed."""
    known, found = manifest(), golden_files()
    for name, digest in known.items():
        if found.get(name) != digest:
            print(f"{name} was {'edited' if name in found else 'removed'}; put it back", file=sys.stderr)
            return 1
    lines = [f"{digest}  {name}\n" for name, digest in sorted(found.items())]
    MANIFEST.write_text("".join(lines), encoding="utf-8")
    print(f"{len(found) - len(known)} added, {len(found)} golden files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
