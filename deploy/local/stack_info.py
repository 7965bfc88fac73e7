"""Where a stack's parts are, for tools beside it: `stack.json` in the data folder, and what it means now."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from deploy.local import lock
from deploy.local.data_folder import open_folder, write_private
from deploy.local.failure import StackError
from deploy.local.logs import open_log
from deploy.local.postgres import Postgres
from deploy.local.postgres_home import settle

_NAME = "stack.json"
_FORMAT = 1


@dataclass(frozen=True)
class StackInfo:
    """What a supervisor wrote when its stack was last up. Holds passwords: never show it whole.

    `postgres` is a connection string without a database's name (`carteado_<service>` are the names), `services`
    maps each name to its `grpc` and `http` addresses. `is_running` is judged at the moment of asking.
    """

    data: Path
    pid: int
    url: str
    postgres: str
    nats: str
    is_own_postgres: bool
    services: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_running: bool = False


def write(info: StackInfo) -> None:
    """Put it into the data folder, readable by its owner alone."""
    content = asdict(replace(info, is_running=True)) | {"format": _FORMAT, "data": str(info.data)}
    del content["is_running"]
    write_private(info.data / _NAME, json.dumps(content, indent=2).encode())


def discover(data: Path) -> StackInfo:
    """The stack of this data folder, running or not; raises StackError if there has never been one."""
    root = data.absolute()
    if not root.is_dir():
        raise StackError(
            f"there is no data folder {root}", "start one with `carteado up`, or name yours with --data"
        )
    root = root.resolve()
    try:
        content = json.loads((root / _NAME).read_text())
    except FileNotFoundError:
        raise StackError(f"no stack has run in {root} yet", "start one with `carteado up`") from None
    except PermissionError:
        raise StackError(
            f"{root / _NAME} is not readable", "only who started the stack may look into it"
        ) from None
    except ValueError:
        content = {}
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise StackError(f"{root / _NAME} is not readable by this version", "start the stack once with it")
    pid = int(content["pid"])
    return StackInfo(
        data=root,
        pid=pid,
        url=content["url"],
        postgres=content["postgres"],
        nats=content["nats"],
        is_own_postgres=content["is_own_postgres"],
        services=content["services"],
        is_running=lock.holder(root) == pid,
    )


@contextmanager
def reading_postgres(data: Path) -> Iterator[str]:
    """The Postgres of this data folder, as a connection string without a database's name.

    Of a running stack it is the running one; otherwise the embedded one is started for as long as the block
    lasts, and nobody else can start the stack meanwhile.
    """
    info = discover(data)
    if info.is_running or not info.is_own_postgres:
        yield info.postgres
        return
    folder = open_folder(info.data)
    with lock.held(info.data, "reads the log"), open_log(folder.logs, "postgres") as log:
        server = Postgres(settle(info.data))
        server.start(log)
        try:
            yield server.conninfo()
        finally:
            server.stop()
