"""The page's files: served whole, never cached unasked, and nothing in them that its content policy would stop."""

import re
from pathlib import Path

import pytest

from libs.rules.registry import GAMES
from services.gateway import page
from tests.services.gateway.conftest import Gateway

FOLDER = Path(page.__file__).parent / "page"
SOURCE = FOLDER.parents[2] / "web" / "src"
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file())
CONTENTS = {file.name: file.read_bytes() for file in FILES}
RULES = [file for file in FILES if file.parent.name == "rules"]


def address(file: Path) -> str:
    return "/" if file.name == "index.html" else f"/{file.parent.name}/{file.name}"


@pytest.mark.parametrize(
    "file", [*(file for file in FILES if file not in RULES), RULES[0]], ids=lambda file: file.name
)
async def test_a_file_is_served_as_it_is_under_a_strict_policy(gateway: Gateway, file: Path) -> None:
    async with gateway.http.get(address(file)) as response:
        assert response.status == 200
        assert await response.read() == CONTENTS[file.name]
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cache-Control"] == "no-cache"
        etag = response.headers["ETag"]
    async with gateway.http.get(address(file), headers={"If-None-Match": etag}) as response:
        assert response.status == 304
        assert await response.read() == b""
    async with gateway.http.get(address(file), headers={"If-None-Match": '"another"'}) as response:
        assert response.status == 200


async def test_who_can_read_gzip_is_sent_less_of_the_same(gateway: Gateway) -> None:
    async with gateway.http.get("/assets/app.js", headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["Content-Encoding"] == "gzip"
        assert int(response.headers["Content-Length"]) < len(CONTENTS["app.js"]) / 2
        assert await response.read() == CONTENTS["app.js"]
    async with gateway.http.get("/assets/app.js", headers={"Accept-Encoding": "identity"}) as response:
        assert "Content-Encoding" not in response.headers
        assert response.headers["Vary"] == "Accept-Encoding"
        assert await response.read() == CONTENTS["app.js"]


async def test_all_that_the_page_refers_to_is_there(gateway: Gateway) -> None:
    referred = set(re.findall(r'(?:href|src)="(/[^"]*)"', (FOLDER / "index.html").read_text()))
    assert {"/assets/app.js", "/assets/app.css"} <= referred
    for path in sorted(referred):
        async with gateway.http.get(path) as response:
            assert response.status == 200, path


async def test_every_game_has_its_rules_in_both_languages_and_all_that_they_refer_to(
    gateway: Gateway,
) -> None:
    names = {f"{preset}.{language}.html" for preset in GAMES for language in ("pt", "en")}
    referred = {f"/rules/{name}" for name in names}
    for file in RULES:
        referred.update(re.findall(r'(?:href|src)="(/[^"]*)"', file.read_text(encoding="utf-8")))
    assert {path for path in referred if path.startswith("/rules/")} == {f"/rules/{name}" for name in names}
    for path in sorted(referred):
        async with gateway.http.get(path) as response:
            assert response.status == 200, path
            if path.startswith("/rules/"):
                assert response.content_type == "text/html"
                assert await response.read() == CONTENTS[path.rpartition("/")[2]]


async def test_nothing_else_of_the_folder_or_above_it_is_served(gateway: Gateway) -> None:
    for path in (
        "/assets/",
        "/assets/page.py",
        "/assets/../page.py",
        "/assets/%2e%2e/page.py",
        "/index.html",
        "/rules/",
        "/rules/poker.pt.html",
        "/rules/app.js",
        "/rules/../index.html",
    ):
        async with gateway.http.get(path) as response:
            assert response.status == 404, path


@pytest.mark.parametrize("name", ["index.html", "app.js", "app.css"])
def test_the_page_needs_nothing_from_elsewhere(name: str) -> None:
    text = CONTENTS[name].decode()
    assert {url for url in re.findall(r"https?://[^\s\"'`)]+", text) if "www.w3.org" not in url} == set()
    assert "import(" not in text


def test_the_page_holds_nothing_that_its_policy_would_stop() -> None:
    stopped = r"\son\w+=|\sstyle=|<style|<script>"
    assert re.findall(stopped, CONTENTS["index.html"].decode()) == []
    for file in RULES:
        assert re.findall(rf"{stopped}|<script", file.read_text(encoding="utf-8")) == [], file.name


@pytest.mark.parametrize(
    "file", sorted(SOURCE.rglob("*.ts*")), ids=lambda file: str(file.relative_to(SOURCE))
)
def test_nothing_is_read_as_markup(file: Path) -> None:
    markup = r"[iI]nnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    assert re.findall(markup, file.read_text()) == []
