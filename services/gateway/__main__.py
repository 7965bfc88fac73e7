"""`python -m services.gateway`."""

from __future__ import annotations

from libs.service.app import run
from services.gateway.app import NAME, build

run(NAME, build)
