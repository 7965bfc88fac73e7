"""docs/errors.md, made from the catalogues of all services.

    python -m libs.service.catalogue > docs/errors.md

Services are found by name when this runs (`services/<name>/errors.py`), because libraries import none of them.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable

from libs.service.errors import COMMON, Catalogue

_HEADER = """\
# Error codes

Every code with which a service refuses a command or answers a call. Codes are stable: clients and tests may compare
them; texts may change. In a gRPC status the code is the `reason` of `google.rpc.ErrorInfo` (domain `carteado`), both
texts are `LocalizedMessage`s, and `BadRequest` names the field where one is at fault. A refused move carries the same
code and texts in its answer; the gRPC status is then that of a call which is refused for it.

This page is made from the services' tables: `.venv/bin/python -m libs.service.catalogue > docs/errors.md`.
"""


def all_catalogues() -> list[Catalogue]:
    """The codes of every service: what they share, then each service's own by name."""
    catalogues = [COMMON]
    services = importlib.import_module("services")
    for module in pkgutil.iter_modules(services.__path__):
        if importlib.util.find_spec(f"services.{module.name}.errors") is None:
            continue
        own = vars(importlib.import_module(f"services.{module.name}.errors"))
        catalogues += [
            value for value in own.values() if isinstance(value, Catalogue) and value is not COMMON
        ]
    return sorted(catalogues, key=lambda catalogue: (catalogue is not COMMON, catalogue.service))


def render(catalogues: Iterable[Catalogue]) -> str:
    """The page as Markdown."""
    parts = [_HEADER]
    for catalogue in catalogues:
        parts.append(f"\n## {catalogue.service}\n")
        parts.append("| code | meaning | gRPC status | Portuguese | English |")
        parts.append("| --- | --- | --- | --- | --- |")
        parts += [
            f"| `{row.code}` | {row.meaning} | `{row.status.name}` | {row.text_pt} | {row.text_en} |"
            for row in catalogue
        ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(render(all_catalogues()))
