"""Writes the presets' rule pages, and checks that those that are committed are what the rules give.

`python -m deploy.rule_pages generate|check`
"""

from __future__ import annotations

import sys

from deploy.rule_pages.site import DOCS, written

FOLDER = DOCS / "buraco"
HINT = "run `python -m deploy.rule_pages generate`, and commit what it changes"


def stale_files() -> list[str]:
    """The names at which docs/rules/buraco differs from what the rules give now."""
    fresh = written()
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    return sorted(name for name in fresh.keys() | present.keys() if fresh.get(name) != present.get(name))


def generate() -> int:
    """Writes every page, and removes what is none. Returns the exit code."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    fresh = written()
    for path in FOLDER.iterdir():
        if path.name not in fresh:
            path.unlink()
    for name, text in fresh.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


def check() -> int:
    """Are the committed pages fresh? Returns the exit code."""
    if stale := stale_files():
        print(f"rule pages: {', '.join(stale)} are stale: {HINT}", file=sys.stderr)
        return 1
    print(f"rule pages: {len(written())} are fresh")
    return 0


def main(arguments: list[str]) -> int:
    """Runs one command; returns the exit code."""
    match arguments:
        case ["generate"]:
            return generate()
        case ["check"]:
            return check()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
