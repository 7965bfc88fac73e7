"""The logs that services announce in pyproject.toml: read from there, so that a new one counts before it is installed."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path

from libs.cli.log_source import GROUP, ServiceLog

ROOT = Path(__file__).parents[2]


def announced_logs() -> dict[str, ServiceLog]:
    """Every announced log by the name of its service."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    targets: dict[str, str] = project["project"]["entry-points"][GROUP]
    logs: dict[str, ServiceLog] = {}
    for name, target in targets.items():
        module, _, attribute = target.partition(":")
        logs[name] = getattr(import_module(module), attribute)
    return logs
