"""What the README says is so."""

from __future__ import annotations

import re
from pathlib import Path

import libs.eventlog

FOLDER = Path(libs.eventlog.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_every_file_that_it_names_is_there():
    named = set(re.findall(r"`([a-z_]+\.py)`", README))
    assert len(named) > 10
    assert {name for name in named if not (FOLDER / name).is_file()} == set()


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (FOLDER / target).resolve().is_file(), target


def test_its_python_is_python():
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        compile(
            "async def _():\n" + "".join(f"    {line}\n" for line in block.splitlines()), "README.md", "exec"
        )
