"""How operators' commands reach a service: beside the stack by its data folder, elsewhere by the environment.

Calls carry the credential `cli`; what the service refuses is one line with its code, and exit code 1.
"""

from __future__ import annotations

import asyncio
import getpass
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Generic, TypeVar

import grpc
import msgspec
import typer

from deploy.local import discover
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.service.config import ConfigError
from libs.service.credentials import Credentials
from libs.service.errors import ServiceError
from libs.service.grpc_client import Channels, told_error

NAME = "cli"
"""The service credential that operators' commands call with."""

OperatorOption = Annotated[
    str | None,
    typer.Option("--operator", metavar="LOGIN", help="Who does it; by default who is logged in here."),
]

Stub = TypeVar("Stub")
Request = TypeVar("Request")
Answer = TypeVar("Answer")
Call = Callable[[Stub], "grpc.aio.UnaryUnaryMultiCallable[Request, Answer]"]


class Desk(Generic[Stub]):
    """The operators' face of a service, of whichever replica answers."""

    def __init__(self, service: str, stub: Callable[[grpc.aio.Channel], Stub], channels: Channels) -> None:
        self._service = service
        self._stub = stub
        self._channels = channels

    async def call(self, method: Call[Stub, Request, Answer], request: Request) -> Answer:
        """The answer; a call that may have been made is made again only because every command's id is its own."""
        return await self._channels.call(
            self._service, NAME, lambda channel: method(self._stub(channel)), request
        )


class _Place(msgspec.Struct, frozen=True):
    addresses: tuple[str, ...]
    keys: Path


def operator_login(given: str | None) -> str:
    """Who acts: what is said, else CARTEADO_OPERATOR, else who is logged in. Raises ExpectedError when that is nobody."""
    named = given or os.environ.get("CARTEADO_OPERATOR")
    if named:
        return named
    try:
        return getpass.getuser().lower()
    except (KeyError, OSError):
        # A container may run as a number that is nobody's.
        raise ExpectedError(
            "nobody is logged in here", "say --operator, or set CARTEADO_OPERATOR", EXIT_REFUSED
        ) from None


def at_desk(
    service: str,
    stub: Callable[[grpc.aio.Channel], Stub],
    data: Path,
    work: Callable[[Desk[Stub]], Awaitable[Answer]],
) -> Answer:
    """Does some work at a service's desk. Raises ExpectedError for what a person can put right."""
    place = _place(service, data)
    try:
        credentials = Credentials(NAME, place.keys)
    except ConfigError as error:
        raise ExpectedError(str(error), "start the stack once with this version", EXIT_REFUSED) from error

    async def run() -> Answer:
        channels = Channels({service: place.addresses}, credentials)
        try:
            return await work(Desk(service, stub, channels))
        except grpc.aio.AioRpcError as error:
            raise ExpectedError(_told(error), _hint(error)) from error
        except ServiceError as error:
            raise ExpectedError(f"{service} does not answer at {', '.join(place.addresses)}") from error
        finally:
            await channels.close()

    return asyncio.run(run())


def _place(service: str, data: Path) -> _Place:
    """Where the service is and which keys to call it with: what the environment says, else the stack in `data`."""
    given = os.environ.get(f"CARTEADO_{service.upper()}_REPLICAS", "").split(",")
    addresses = tuple(filter(None, map(str.strip, given)))
    keys = os.environ.get("CARTEADO_KEYS", "")
    if addresses and keys:
        return _Place(addresses, Path(keys))
    info = discover(data)
    if not info.is_running:
        raise ExpectedError(f"no stack runs in {info.data}", "start it with `carteado up`", EXIT_REFUSED)
    replicas = [
        address["grpc"]
        for name, address in info.services.items()
        if name == service or name.startswith(f"{service}-")
    ]
    return _Place(tuple(replicas), info.data / "keys")


def _told(error: grpc.aio.AioRpcError) -> str:
    """A failed call in a line: its code, its text, and what is wrong where the service says it."""
    told = told_error(error)
    if told is None:
        return f"{error.code().name}: {error.details()}"
    facts = [value if name == "reason" else f"{name} {value}" for name, value in told.facts.items()]
    why = ", ".join([*([] if told.field is None else [told.field]), *facts])
    return f"{told.code}: {told.text_en}" + (f" ({why})" if why else "")


def _hint(error: grpc.aio.AioRpcError) -> str:
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return "it may have been done all the same: look before you do it again"
    return "docs/errors.md lists the codes"
