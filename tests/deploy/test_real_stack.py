"""`carteado up` itself, with every service: from an empty folder to a page, through crashes, and back to nothing."""

import os
import signal
import time
import urllib.request
from collections.abc import Callable

import psycopg
import pytest

from deploy.local import discover
from deploy.local.service import SERVICES
from tests.deploy.stack import Stack

pytestmark = [pytest.mark.e2e, pytest.mark.fault]


def get(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.status, answer.read().decode()


def test_from_an_empty_folder_to_a_page_and_back(start_real: Callable[..., Stack]) -> None:
    stack = start_real()
    url = stack.ready()
    status, page = get(url)
    assert status == 200
    assert "<html" in page.lower()
    info = discover(stack.data)
    assert info.url == url
    assert set(info.services) == {service.name for service in SERVICES}
    for addresses in info.services.values():
        assert get(f"http://{addresses['http']}/healthz")[0] == 200
        assert "process_" in get(f"http://{addresses['http']}/metrics")[1]
    with psycopg.connect(info.postgres, dbname="postgres") as connection:
        names = connection.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE 'carteado%'"
        ).fetchall()
    assert {name for (name,) in names} == {
        f"carteado_{service.name}" for service in SERVICES if service.has_log
    }
    began = time.monotonic()
    assert stack.end(signal.SIGINT) == 0
    assert time.monotonic() - began < 10
    assert stack.left_behind(within_s=0) == set()
    assert stack.out == [f"ready {url}"]
    assert not any("does not stop" in line for line in stack.lines)

    again = start_real()
    assert get(again.ready())[0] == 200
    assert again.end() == 0
    assert not any("died" in line for line in (*stack.lines, *again.lines))


def test_whatever_is_killed_comes_back_and_serves(start_real: Callable[..., Stack]) -> None:
    stack = start_real()
    url = stack.ready()
    for name in ("postgres", "nats", *(f"services.{service.name}" for service in SERVICES)):
        os.kill(stack.pid_of(name), signal.SIGKILL)
        stack.wait_for(rf"{name.removeprefix('services.')} +serves again")
    deadline = time.monotonic() + 30
    while not all_ready(stack):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert get(url)[0] == 200
    assert stack.end() == 0
    assert stack.left_behind(within_s=0) == set()


def all_ready(stack: Stack) -> bool:
    for addresses in discover(stack.data).services.values():
        try:
            get(f"http://{addresses['http']}/readyz")
        except OSError:
            return False
    return True
