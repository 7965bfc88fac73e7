"""Free ports, and the name of who has one that is not."""

import os
import resource
import socket
from collections import deque
from pathlib import Path

import pytest

from deploy.local.failure import StackError
from deploy.local.ports import RANGE_VARIABLE, check_free, free_ports


def test_free_ports_are_free_and_different() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20
    for port in ports:
        check_free(port)


def test_a_port_that_was_given_is_not_given_again_before_its_owner_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stack chooses for its gateway, its services and NATS one after another, and all of them listen seconds later."""
    first, *_ = free_ports(1)
    monkeypatch.setenv(RANGE_VARIABLE, f"{first}-{first + 29}")
    assert first not in free_ports(20)


def test_free_ports_are_never_those_of_outgoing_connections() -> None:
    with socket.create_server(
        ("127.0.0.1", 0)
    ) as server:  # the kernel's choice, as for an outgoing connection
        assert max(free_ports(50)) < server.getsockname()[1]


def test_a_taken_port_is_named_with_its_owner() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(
            StackError, match=rf"port {port} is taken by .+ \(process {os.getpid()}\); .+--port"
        ):
            check_free(port)


def test_a_port_taken_on_every_address_is_taken_too() -> None:
    with socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(StackError, match=rf"port {port} is taken by"):
            check_free(port)


def test_a_port_whose_last_connection_has_just_closed_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            accepted, _ = server.accept()
            accepted.close()  # our side closes first, so it stays in TIME_WAIT
    check_free(port)


def test_ports_are_chosen_from_the_range_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(RANGE_VARIABLE, "21000-21049")
    assert all(21_000 <= port <= 21_049 for port in free_ports(5))


def test_the_port_that_was_asked_for_is_given_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    page, *_ = free_ports(1)
    monkeypatch.setattr("deploy.local.ports._GIVEN", deque(maxlen=256))
    check_free(page)
    monkeypatch.setenv(RANGE_VARIABLE, f"{page}-{page + 29}")
    assert page not in free_ports(20)


def test_a_range_with_too_few_ports_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the search for more keeps no file open: it would end with "Too many open files" where 1024 may be."""
    monkeypatch.setenv(RANGE_VARIABLE, "21000-21003")
    most, hardest = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest_open = max(int(handle.name) for handle in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest_open + 64, hardest))
    try:
        with pytest.raises(StackError, match=rf"not 5 free ports between 21000 and 21003 .*{RANGE_VARIABLE}"):
            free_ports(5)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hardest))


@pytest.mark.parametrize("wanted", ["21000", "21049-21000", "a-b", "1-5", "21000-70000"])
def test_a_range_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setenv(RANGE_VARIABLE, wanted)
    with pytest.raises(StackError, match=RANGE_VARIABLE):
        free_ports(1)
