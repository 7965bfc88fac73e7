"""Logs: one JSON object a line on stderr (readable lines on a terminal), with the service's name on each.

A log line never holds a token, a secret, a person's name or a card: keys that could are blanked here, and text that
looks like a token or like credentials in a URL is cut out of every value, tracebacks included.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import TextIO

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from libs.service.config import LogLevel

Log = FilteringBoundLogger

_BLANK = "[removed]"
_SECRET_KEYS = frozenset(
    {
        "authorization", "cards", "conninfo", "cookie", "deck", "display_name", "email", "entropy", "hand", "hands",
        "jwt", "key", "name", "names", "nats_url", "order", "password", "player_name", "postgres", "private_key",
        "secret", "stock", "text", "token", "tokens",
    }
)  # fmt: skip
_TOKEN = re.compile(r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
_URL_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_CONNINFO_PASSWORD = re.compile(r"(?<=password=)('[^']*'|\S+)")


def configure_logging(service: str, level: LogLevel, stream: TextIO | None = None) -> Log:
    """Sets up logging for the process, the standard library's included, and gives the service's logger."""
    out = sys.stderr if stream is None else stream
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        _Service(service),
        remove_secrets,
    ]
    renderer: Processor = (
        structlog.dev.ConsoleRenderer()
        if out.isatty()
        else structlog.processors.JSONRenderer(ensure_ascii=False, default=repr)
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for chatty in ("aiohttp.access", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    log: Log = structlog.get_logger(service)
    return log


class _Service:
    """Puts the service's name on each line, those of libraries included."""

    def __init__(self, service: str) -> None:
        self._service = service

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event["service"] = self._service
        return event


def remove_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Blanks keys that could hold a secret, and cuts tokens and credentials out of every text."""
    for key, value in event.items():
        if key in _SECRET_KEYS:
            event[key] = _BLANK
        elif isinstance(value, str):
            event[key] = _cut(value)
    return event


def _cut(text: str) -> str:
    text = _TOKEN.sub(_BLANK, text)
    text = _URL_CREDENTIALS.sub(_BLANK, text)
    return _CONNINFO_PASSWORD.sub(_BLANK, text)
