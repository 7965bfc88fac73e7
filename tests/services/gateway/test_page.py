"""The page's files: served whole, never cached unasked, and nothing in them that its content policy would stop."""

import re
from pathlib import Path

import pytest

from services.gateway import page
from tests.services.gateway.conftest import Gateway

FOLDER = Path(page.__file__).parent / "page"
FILES = sorted(FOLDER.iterdir())
CONTENTS = {file.name: file.read_bytes() for file in FILES}


def address(file: Path) -> str:
    return "/" if file.name == "index.html" else f"/assets/{file.name}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
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


async def test_all_that_the_page_refers_to_is_there(gateway: Gateway) -> None:
    referred = set(re.findall(r'(?:href|src)="(/[^"]*)"', (FOLDER / "index.html").read_text()))
    for script in FOLDER.glob("*.js"):
        referred |= {f"/assets/{name}" for name in re.findall(r'from "\./([^"]+)"', script.read_text())}
    assert len(referred) > 10
    for path in sorted(referred):
        async with gateway.http.get(path) as response:
            assert response.status == 200, path


async def test_nothing_else_of_the_folder_or_above_it_is_served(gateway: Gateway) -> None:
    for path in (
        "/assets/",
        "/assets/page.py",
        "/assets/../page.py",
        "/assets/%2e%2e/page.py",
        "/index.html",
    ):
        async with gateway.http.get(path) as response:
            assert response.status == 404, path


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_needs_nothing_from_elsewhere_and_reads_nothing_as_markup(file: Path) -> None:
    text = file.read_text()
    elsewhere = set(re.findall(r"https?://[^\s\"')]+", text)) - {"http://www.w3.org/2000/svg"}
    assert elsewhere == set()
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    assert re.findall(markup, text) == []
    assert re.findall(r"\son\w+=|\sstyle=|<style|<script>", text) == []
