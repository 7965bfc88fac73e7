"""`carteado up`: servers first, then every service at once, all watched until Ctrl-C.

    lock the data folder -> check what can be checked -> Postgres and NATS -> the services -> `ready`
    stop: the services drain together -> NATS -> Postgres; no process is left

Only this process decides when something ends: children have their own sessions, so a Ctrl-C in the terminal
does not reach them, and the kernel ends them if this process is killed.
"""

import asyncio
import importlib.util
import os
import signal
import time
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from deploy.local import lock, stack_info
from deploy.local.child import Child, Plan
from deploy.local.console import Console
from deploy.local.data_folder import DataFolder, check_space, fill, open_folder
from deploy.local.disk import FULL_MB, DiskNews, DiskWatch
from deploy.local.external import check_nats, check_postgres
from deploy.local.failure import EXIT_REFUSED, StackError
from deploy.local.leftovers import Children
from deploy.local.logs import cut, tail
from deploy.local.nats import Nats, find_binary
from deploy.local.ports import HOST, check_free, free_ports
from deploy.local.postgres import Postgres
from deploy.local.postgres_home import remember, settle
from deploy.local.process import Command
from deploy.local.readiness import answers_ready
from deploy.local.service import SERVICES, Addresses, Replica, Service, environment_of, place, replicas_of

START_TIMEOUT_S = 120.0
STILL_WAITING_EVERY_S = 10.0
SERVICES_PATIENCE_S = 6.0
STOP_WITHIN_S = 8.0
"""What others leave of it is Postgres's: cut short, it would have to recover at the next start."""

_PATIENCE_S = {"nats": 1.0, "postgres": 2.0}
_LOG_CHECK_S = 30.0
_DISK_CHECK_S = 2.0
_NEEDED = {
    "grpc": "grpcio",
    "nats": "nats-py",
    "psycopg": "psycopg",
    "aiohttp": "aiohttp",
    "cryptography": "cryptography",
}


@dataclass(frozen=True)
class Options:
    """What `carteado up` was asked for. Port 0 takes any free one."""

    data: Path
    port: int = 8420
    services: Sequence[Service] = SERVICES
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    replicas: Mapping[str, int] = field(default_factory=dict)


def run(options: Options, console: Console) -> None:
    """Run the stack until a signal stops it; raises StackError if it cannot start or go on."""
    _check_packages()
    replicas_of(options.services, options.replicas)
    folder = open_folder(options.data)
    with lock.held(folder.root, f"carteado up --port {options.port}"):
        port = options.port or free_ports(1)[0]
        check_free(port)
        try:
            asyncio.run(_Stack(options, folder, port, console).run())
        except OSError as error:
            raise StackError(
                f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}",
                f"look at the data folder {folder.root}",
            ) from error


def _check_packages() -> None:
    missing = [package for module, package in _NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise StackError(
            f"Python packages are missing: {', '.join(missing)}",
            "run `make setup` (or pip install 'carteado[local]')",
            EXIT_REFUSED,
        )


class _Stack:
    def __init__(self, options: Options, folder: DataFolder, port: int, console: Console) -> None:
        self._options = options
        self._folder = folder
        self._url = f"http://{HOST}:{port}"
        self._console = console
        self._stop = asyncio.Event()
        self._replicas = replicas_of(options.services, options.replicas)
        self._addresses: dict[str, Addresses] = place(self._replicas, port)
        self._children = Children(folder.root)
        self._postgres: Postgres | None = None
        self._nats: Nats | None = None
        self._servers: list[Child] = []  # in the order in which they are stopped
        self._services: list[Child] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # nohup stays nohup; but a script's background job, whose SIGINT is ignored, can be stopped by one.
            if sig != signal.SIGHUP or signal.getsignal(sig) is not signal.SIG_IGN:
                loop.add_signal_handler(sig, self._asked_to_stop)
        try:
            await self._start()
            await self._first_of(self._stop.wait())
        finally:
            await self._shut_down()

    def _asked_to_stop(self) -> None:
        if self._stop.is_set():
            # Only the services: the servers are quick, and a database cut short has to recover.
            for child in self._services:
                child.hurry()
        else:
            self._console.progress("carteado", "stopping (once more to hurry)")
        self._stop.set()

    async def _start(self) -> None:
        options, folder, console = self._options, self._folder, self._console
        names = [service.name for service in options.services]
        check_space(folder.root)
        fill(folder, names)
        await asyncio.to_thread(self._children.end_leftovers, console.progress)
        postgres_url = options.environment.get("CARTEADO_POSTGRES")
        nats_url = options.environment.get("CARTEADO_NATS")
        if nats_url:
            await asyncio.to_thread(check_nats, nats_url)
        else:
            self._nats = Nats(folder.nats, free_ports(1)[0], find_binary(options.environment))
            self._servers.append(Child(self._nats_plan(self._nats), console))
        if postgres_url:
            await asyncio.to_thread(check_postgres, postgres_url)
        else:
            self._postgres = await self._settle_postgres()
            self._servers.append(Child(self._postgres_plan(self._postgres), console))
        if self._servers:
            console.progress("carteado", f"starting {_listed(child.plan.name for child in self._servers)}")
        await self._bring_up(self._servers)
        if self._stop.is_set():
            return
        if self._postgres:
            remember(folder.root, self._postgres.home)
        postgres = self._postgres.conninfo() if self._postgres else str(postgres_url)
        nats = self._nats.url if self._nats else str(nats_url)
        for replica in self._replicas:
            environment = environment_of(
                replica,
                self._replicas,
                self._addresses,
                folder,
                postgres=postgres,
                nats=nats,
                inherited=options.environment,
            )
            self._services.append(Child(self._replica_plan(replica, environment), console))
        console.progress("carteado", f"starting {_listed(replica.name for replica in self._replicas)}")
        await self._bring_up(self._services)
        if self._stop.is_set():
            return
        stack_info.write(
            stack_info.StackInfo(
                data=folder.root,
                pid=os.getpid(),
                url=self._url,
                postgres=postgres,
                nats=nats,
                is_own_postgres=self._postgres is not None,
                services={
                    name: {"grpc": address.grpc, "http": address.http}
                    for name, address in self._addresses.items()
                },
            )
        )
        self._tasks.add(asyncio.create_task(self._bound_logs()))
        self._tasks.add(asyncio.create_task(self._watch_disks()))
        for replica in self._replicas:
            if replica.service.is_front and replica.number > 1:
                console.progress(replica.name, f"serves at http://{self._addresses[replica.name].http}")
        console.ready(self._url)

    async def _settle_postgres(self) -> Postgres:
        home = await asyncio.to_thread(settle, self._folder.root, self._options.environment)
        check_space(home.folder)
        if home.is_moved and home.account is not None:
            self._console.progress(
                "postgres",
                f"the user `{home.account.name}` cannot enter {self._folder.root} or its programs, "
                f"so its data lies in {home.folder}",
            )
        if not home.cluster.exists():
            self._console.progress("postgres", "making a new database (the first start only)")
        return Postgres(home, say=lambda line: self._console.progress("postgres", line))

    def _postgres_plan(self, server: Postgres) -> Plan:
        async def is_ready(pid: int) -> bool:
            return server.is_ready(pid)

        return Plan(
            name="postgres",
            started=partial(self._children.note, "postgres"),
            is_disk_full=self._is_disk_full,
            log=self._folder.logs / "postgres.log",
            prepare=server.prepare,
            command=server.command,
            is_ready=is_ready,
            stop_signal=signal.SIGINT,
            force_signal=signal.SIGQUIT,
        )

    def _nats_plan(self, server: Nats) -> Plan:
        async def is_ready(_pid: int) -> bool:
            return await asyncio.to_thread(server.is_ready)

        return Plan(
            name="nats",
            started=partial(self._children.note, "nats"),
            is_disk_full=self._is_disk_full,
            log=self._folder.logs / "nats.log",
            prepare=server.prepare,
            command=server.command,
            is_ready=is_ready,
        )

    def _replica_plan(self, replica: Replica, environment: Mapping[str, str]) -> Plan:
        async def is_ready(_pid: int) -> bool:
            return await answers_ready(self._addresses[replica.name].http)

        return Plan(
            name=replica.name,
            started=partial(self._children.note, replica.name),
            is_disk_full=self._is_disk_full,
            log=self._folder.logs / f"{replica.name}.log",
            command=lambda: Command(replica.service.command, environment),
            is_ready=is_ready,
        )

    async def _bring_up(self, children: Sequence[Child]) -> None:
        """Start them at once and wait until all serve, or until we are asked to stop."""
        self._tasks.update(asyncio.create_task(child.run(), name=child.plan.name) for child in children)
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._stop.is_set():
            waiting = [child for child in children if not child.ready.is_set()]
            if not waiting:
                return
            if time.monotonic() > deadline:
                first = waiting[0].plan
                raise StackError(
                    f"not ready within {START_TIMEOUT_S:.0f} s: {_listed(child.plan.name for child in waiting)}",
                    f"logs are in {self._folder.logs}",
                    detail=tail(first.log),
                )
            try:
                async with asyncio.timeout(STILL_WAITING_EVERY_S):
                    await self._first_of(self._stop.wait(), *(child.ready.wait() for child in waiting))
            except TimeoutError:
                self._console.warn(
                    "carteado", f"still waiting for {_listed(child.plan.name for child in waiting)}"
                )

    async def _first_of(self, *events: Coroutine[object, object, object]) -> None:
        """Wait until one of these happens; raises what a child's keeper or another task of ours raises."""
        waits = [asyncio.ensure_future(event) for event in events]
        try:
            done, _ = await asyncio.wait({*waits, *self._tasks}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        for task in self._tasks & done:
            task.result()

    async def _bound_logs(self) -> None:
        while True:
            await asyncio.sleep(_LOG_CHECK_S)
            for child in (*self._servers, *self._services):
                cut(child.plan.log)

    def _disks(self) -> DiskWatch:
        folders = [self._folder.root]
        if self._postgres is not None and self._postgres.home.folder.exists():
            folders.append(self._postgres.home.folder)
        return DiskWatch(folders)

    def _is_disk_full(self) -> bool:
        return self._disks().free_mb < FULL_MB

    async def _watch_disks(self) -> None:
        watch = self._disks()
        while True:
            await asyncio.sleep(_DISK_CHECK_S)
            match watch.look():
                case DiskNews.FULL:
                    self._console.warn(
                        "carteado",
                        f"the disk is full ({watch.free_mb} MB free): no move is stored until it has space",
                    )
                case DiskNews.SPACE_AGAIN:
                    self._console.progress("carteado", "the disk has space again; NATS is started anew")
                    await self._end_what_stands_still()
                case None:
                    continue

    async def _end_what_stands_still(self) -> None:
        """End the servers that do not recover from a full disk by themselves; they are started anew."""
        for child in self._servers:
            if child.plan.name == "nats":
                # What NATS could not write once it never writes again.
                child.end_once()
            elif self._postgres is not None and not await asyncio.to_thread(self._postgres.answers):
                # Its recovery met the full disk: then it waits for ever, and hears no polite request to end.
                child.end_once(forcibly=True)

    async def _shut_down(self) -> None:
        self._stop.set()
        if self._postgres:
            self._postgres.abort()
        ends_at = time.monotonic() + STOP_WITHIN_S
        await asyncio.gather(*(child.stop(SERVICES_PATIENCE_S) for child in self._services))
        for child in self._servers:
            patience_s = _PATIENCE_S[child.plan.name]
            if child is self._servers[-1]:
                patience_s = max(patience_s, ends_at - time.monotonic())
            await child.stop(patience_s)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._postgres:
            self._postgres.tidy()
        self._children.forget()
        if self._servers or self._services:
            self._console.progress("carteado", "stopped")


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
