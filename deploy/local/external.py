"""Servers of the person's own (CARTEADO_POSTGRES, CARTEADO_NATS): a clear word when they do not answer."""

import asyncio
import socket
from urllib.parse import urlsplit

from deploy.local.failure import EXIT_REFUSED, StackError

_TIMEOUT_S = 5
_NATS_PORT = 4222


def check_postgres(conninfo: str) -> None:
    """Raise StackError unless the server answers and lets us in."""
    import psycopg  # noqa: PLC0415 - a tenth of a second that only an own server costs
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - as above

    try:
        if conninfo_to_dict(conninfo).get("dbname"):
            raise StackError(
                "CARTEADO_POSTGRES names a database", "leave it out: each service makes its own", EXIT_REFUSED
            )
        psycopg.connect(conninfo, dbname="postgres", connect_timeout=_TIMEOUT_S).close()
    except psycopg.Error as error:
        said = str(error).strip().splitlines()
        raise StackError(
            f"the Postgres of CARTEADO_POSTGRES does not answer: {said[-1] if said else type(error).__name__}",
            "start it, or unset CARTEADO_POSTGRES to use the embedded one",
            EXIT_REFUSED,
        ) from None


def check_nats(url: str) -> None:
    """Raise StackError unless a NATS server greets us at the (first) address of `url`, lets us in and has JetStream."""
    try:
        parts = urlsplit(url.split(",", maxsplit=1)[0].strip())
        host, port = parts.hostname or "", parts.port or _NATS_PORT
    except ValueError:
        host, port = "", 0
    if not host:
        raise StackError("CARTEADO_NATS is no URL", "set it to nats://user:password@host:port", EXIT_REFUSED)
    try:
        with socket.create_connection((host, port), timeout=_TIMEOUT_S) as probe:
            greets = probe.recv(5) == b"INFO "
    except OSError:
        greets = False
    if not greets:
        raise StackError(
            f"no NATS server answers at {host}:{port} (CARTEADO_NATS)",
            "start it, or unset CARTEADO_NATS to use the embedded one",
            EXIT_REFUSED,
        )
    asyncio.run(_check_jetstream(url, f"{host}:{port}"))


async def _check_jetstream(url: str, address: str) -> None:
    # Asked, not read from the greeting: in a cluster the server that greets may leave JetStream to others.
    import nats  # noqa: PLC0415 - a tenth of a second that only an own server costs
    import nats.errors  # noqa: PLC0415 - as above

    async def not_shown(_error: Exception) -> None:
        """What stops us is raised, and said in one line."""

    try:
        client = await nats.connect(
            url,
            name="carteado up",
            connect_timeout=_TIMEOUT_S,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            error_cb=not_shown,
        )
    except (OSError, nats.errors.Error) as error:
        raise StackError(
            f"the NATS server at {address} does not let us in: {error}",
            "look at the user and the password in CARTEADO_NATS",
            EXIT_REFUSED,
        ) from None
    try:
        await client.jetstream(timeout=_TIMEOUT_S).account_info()
    except (TimeoutError, nats.errors.Error):
        raise StackError(
            f"the NATS server at {address} (CARTEADO_NATS) has no JetStream for us",
            "start it with `-js`, or with a `jetstream` block in its configuration",
            EXIT_REFUSED,
        ) from None
    finally:
        await client.close()
