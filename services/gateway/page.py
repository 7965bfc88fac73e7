"""Serves the web client's bundle (built from web/): read once at start, never cached unasked, under a strict content policy."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import msgspec
from aiohttp import web

_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".md": "text/plain; charset=utf-8",
}

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _File(msgspec.Struct, frozen=True):
    body: bytes
    gzipped: bytes
    content_type: str
    etag: str


class Page:
    """The page's files: `/` is index.html; its folder `assets` is served below `/assets/`, `rules` below `/rules/`."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        """Reads every file; FileNotFoundError without a page, KeyError for a type that it has no use for."""
        self._page = _read(folder / "index.html")
        self._assets = _read_all(folder / "assets")
        self._rules = _read_all(folder / "rules")

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.get("/", self._index),
            web.get("/assets/{name}", _one_of(self._assets)),
            web.get("/rules/{name}", _one_of(self._rules)),
        ]

    async def _index(self, request: web.Request) -> web.Response:
        return _respond(request, self._page)


def _one_of(files: Mapping[str, _File]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        file = files.get(request.match_info["name"])
        if file is None:
            raise web.HTTPNotFound
        return _respond(request, file)

    return serve


def _read_all(folder: Path) -> Mapping[str, _File]:
    return {path.name: _read(path) for path in sorted(folder.iterdir())}


def _read(path: Path) -> _File:
    body = path.read_bytes()
    # Without a time, so that every replica answers the same bytes.
    gzipped = gzip.compress(body, mtime=0)
    return _File(body, gzipped, _TYPES[path.suffix], f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _respond(request: web.Request, file: _File) -> web.Response:
    headers = {**SECURITY_HEADERS, "ETag": file.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == file.etag:
        return web.Response(status=304, headers=headers)
    headers["Content-Type"] = file.content_type
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return web.Response(body=file.body, headers=headers)
    return web.Response(body=file.gzipped, headers={**headers, "Content-Encoding": "gzip"})
