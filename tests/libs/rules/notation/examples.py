"""The matches that docs/notation.md shows."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[4] / "docs" / "notation.md").read_text(encoding="utf-8")
EXAMPLES: list[str] = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
