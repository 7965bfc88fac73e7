"""The embedded Postgres: whom it runs as, where its data lies, and what it survives."""

import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.local.failure import StackError
from deploy.local.postgres import Postgres, initdb_failure
from deploy.local.postgres_home import SHARED_HOME, find_binaries, remember, settle
from deploy.local.process import is_running

pytestmark = [pytest.mark.integration, pytest.mark.fault]

IS_ROOT = os.geteuid() == 0


@pytest.fixture
def serve(data: Path) -> Iterator[Callable[..., Postgres]]:
    """Start the server of `data` (or of another folder), as often as wanted; all are stopped after the test."""
    servers: list[Postgres] = []

    def serve_one(folder: Path = data, **options: object) -> Postgres:
        folder.mkdir(exist_ok=True, mode=0o755)
        server = Postgres(settle(folder, options.pop("environment", None)), **options)
        servers.append(server)
        server.start()
        return server

    yield serve_one
    for server in servers:
        server.stop()


def ask(server: Postgres, query: str) -> object:
    with psycopg.connect(server.conninfo(), dbname="postgres", autocommit=True) as connection:
        cursor = connection.execute(query)
        return cursor.fetchone()[0] if cursor.description else None


def kill(server: Postgres) -> None:
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait(60)


def test_it_never_runs_as_root_and_is_our_own_child(serve) -> None:
    server = serve()
    owner = Path(f"/proc/{server.process.pid}").stat().st_uid
    assert owner != 0
    assert owner == server.home.folder.stat().st_uid
    assert stat.S_IMODE(server.home.folder.stat().st_mode) == 0o700
    groups = Path(f"/proc/{server.process.pid}/status").read_text()
    assert f"Groups:\t{'' if IS_ROOT else groups.partition('Groups:')[2].splitlines()[0].strip()}" in groups


def test_it_listens_on_its_socket_alone_and_keeps_its_durable_defaults(serve) -> None:
    server = serve()
    settings = {
        "listen_addresses": "",
        "fsync": "on",
        "synchronous_commit": "on",
        "full_page_writes": "on",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "password_encryption": "scram-sha-256",
        "unix_socket_permissions": "0700",
        # Small segments, and as much of them as by default: no commit waits for 16 MB of zeros.
        "wal_segment_size": "1MB",
        "min_wal_size": "80MB",
        "max_wal_size": "1GB",
    }
    assert {name: ask(server, f"SHOW {name}") for name in settings} == settings
    assert ask(server, "SELECT datcollate FROM pg_database WHERE datname = 'postgres'") == "C.UTF-8"
    hba = (server.home.data / "pg_hba.conf").read_text()
    assert "trust" not in [line.split()[-1] for line in hba.splitlines() if line and not line.startswith("#")]


def test_committed_rows_survive_a_kill(serve) -> None:
    server = serve()
    ask(server, "CREATE TABLE facts AS SELECT 1 AS id")
    kill(server)
    server.start()
    assert ask(server, "SELECT count(*) FROM facts") == 1


def test_what_initdb_left_half_made_is_thrown_away(serve, data: Path) -> None:
    data.mkdir(mode=0o755)
    half = settle(data).folder / "half-1"
    (half / "data").mkdir(parents=True)
    (half / "data" / "PG_VERSION").write_text("18\n")
    server = serve()
    assert not half.exists()
    assert ask(server, "SELECT 1") == 1


def write_pid(server: Postgres, pid: int) -> None:
    pid_file = server.home.data / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    pid_file.write_text("\n".join([str(pid), *lines[1:]]) + "\n")
    socket_lock = Path(lines[4]) / ".s.PGSQL.5432.lock"
    socket_lock.write_text("\n".join([str(pid), *socket_lock.read_text().splitlines()[1:]]) + "\n")


def test_a_process_id_that_is_someone_elses_now_does_not_stop_it(serve) -> None:
    server = serve()
    kill(server)
    foreign = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        write_pid(server, foreign.pid)
        server.start()
        assert ask(server, "SELECT 1") == 1
        assert foreign.poll() is None
    finally:
        foreign.kill()
        foreign.wait()


def test_a_zombie_does_not_stop_it(serve) -> None:
    server = serve()
    kill(server)
    zombie = subprocess.Popen(["/bin/true"])
    deadline = time.monotonic() + 10
    while is_running(zombie.pid):
        assert time.monotonic() < deadline
    write_pid(server, zombie.pid)
    server.start()
    assert ask(server, "SELECT 1") == 1
    zombie.wait()


def test_a_server_that_an_earlier_run_left_behind_is_stopped_first(serve) -> None:
    orphan = serve()
    ask(orphan, "CREATE TABLE facts AS SELECT 1 AS id")
    said: list[str] = []
    server = serve(say=said.append)
    assert said == [f"stopping the Postgres (process {orphan.process.pid}) that an earlier run left behind"]
    assert orphan.process.wait(60) == 0
    assert ask(server, "SELECT count(*) FROM facts") == 1


def test_data_of_another_major_version_is_left_alone(serve, data: Path) -> None:
    server = serve()
    server.stop()
    (server.home.data / "PG_VERSION").write_text("17\n")
    with pytest.raises(StackError, match="is of Postgres 17, installed is 18; dump it with Postgres 17"):
        server.start()
    assert (server.home.data / "base").is_dir()


def test_a_socket_path_that_would_be_too_long_moves_to_tmp(serve, data: Path) -> None:
    deep = data / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True, mode=0o755)
    server = serve(deep)
    assert ask(server, "SELECT 1") == 1
    folder = Path(ask(server, "SHOW unix_socket_directories"))
    assert folder.parent == Path("/tmp")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    conninfo = server.conninfo()
    kill(server)
    server.start()
    assert server.conninfo() == conninfo  # the services hold on to it
    kill(server)
    again = serve(deep)
    assert not folder.exists()  # left by the one that was killed for good
    folder = Path(ask(again, "SHOW unix_socket_directories"))
    again.stop()
    assert not folder.exists()


def test_where_its_account_cannot_go_nothing_is_opened_for_it(serve, data: Path, request) -> None:
    """Folders and programs that only root may enter: as root all lies in /var/lib, as a user all is near."""
    closed = data / "closed"
    closed.mkdir(parents=True)
    closed.chmod(0o700)
    bin_folder = find_binaries({})
    package = bin_folder.parent.parent
    shutil.copytree(package / "pginstall", closed / package.name / "pginstall", symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, closed / libraries.name)
    environment = {"CARTEADO_POSTGRES_BIN": str(closed / package.name / "pginstall" / "bin")}
    before = {path: path.lstat().st_mode for path in (data, closed, *closed.rglob("*"))}

    server = serve(closed, environment=environment)
    home = server.home
    if home.is_moved:
        request.addfinalizer(lambda: shutil.rmtree(home.folder.parent))

    assert ask(server, "SELECT 1") == 1
    assert home.is_moved == IS_ROOT
    assert home.folder.is_relative_to(SHARED_HOME if IS_ROOT else closed)
    assert home.binaries.is_relative_to(home.folder.parent if IS_ROOT else closed)
    assert {path: path.lstat().st_mode for path in before} == before
    ask(server, "CREATE TABLE facts AS SELECT 1 AS id")
    server.stop()
    closed.chmod(0o755)  # what is there stays there, whatever has changed around it
    again = serve(closed, environment=environment)
    assert again.home.folder == home.folder
    assert ask(again, "SELECT count(*) FROM facts") == 1


@pytest.mark.skipif(not IS_ROOT, reason="only root's database lies elsewhere")
def test_a_moved_folder_finds_its_database_or_says_where_it_is(data: Path, monkeypatch) -> None:
    """Never a new and empty database in silence."""
    shared = data / "shared"
    monkeypatch.setattr("deploy.local.postgres_home.SHARED_HOME", shared)
    shared.mkdir(parents=True)
    closed = data / "closed"
    closed.mkdir(mode=0o700)
    server = Postgres(settle(closed))
    assert server.home.is_moved
    server.start()
    server.stop()
    remember(closed, server.home)
    assert settle(closed).folder == server.home.folder
    moved = closed.rename(data / "moved")
    with pytest.raises(StackError, match=rf"was in {server.home.folder} and is not found .*; mv") as refused:
        settle(moved)
    _, source, target = refused.value.hint.partition(",")[0].split()  # mv
    Path(source).rename(target)
    server = Postgres(settle(moved))
    assert server.home.cluster.exists()
    remember(moved, server.home)
    shutil.rmtree(target)
    with pytest.raises(StackError, match=f"; restore {target} from a backup"):
        settle(moved)


@pytest.mark.skipif(not IS_ROOT, reason="only root becomes somebody else")
def test_a_database_stays_its_owners_when_root_has_a_better_choice(serve, monkeypatch) -> None:
    """The user `postgres` comes with a package that somebody may install any day."""
    monkeypatch.setattr("deploy.local.unprivileged._CANDIDATES", ("nobody",))
    first = serve()
    first.stop()
    monkeypatch.setattr("deploy.local.unprivileged._CANDIDATES", ("daemon", "nobody"))
    again = serve()
    assert again.home.account == first.home.account


@pytest.mark.skipif(not IS_ROOT, reason="only root becomes somebody else")
@pytest.mark.parametrize("owner", ["root", "games"])
def test_root_leaves_a_database_of_another_user_alone(serve, data: Path, owner: str) -> None:
    """A user's stack that is started by root once, and a backup that root copied without its owners."""
    server = serve()
    server.stop()
    uid = pwd.getpwnam(owner).pw_uid
    for path in (server.home.folder, *server.home.folder.rglob("*")):
        os.chown(path, uid, -1)
    with pytest.raises(StackError, match=f"is the user `{owner}`'s, .*; start as that user, or .* chown -R"):
        settle(data)
    assert server.home.folder.stat().st_uid == uid


@pytest.mark.parametrize(
    ("said", "free_mb"),
    [
        ('initdb: error: could not create directory "x": No space left on device', 40),
        ('FATAL:  could not extend file "base/1/2659": wrote only 4096 of 8192 bytes at block 3', 0),
    ],
)
def test_a_full_disk_is_explained(tmp_path: Path, said: str, free_mb: int) -> None:
    error = str(initdb_failure(said, tmp_path, free_mb))
    assert f"is full ({free_mb} MB free)" in error
    assert "--data" in error


def test_another_failure_of_initdb_keeps_its_reason(tmp_path: Path) -> None:
    said = "creating configuration files ... ok\ninitdb: error: invalid locale name"
    assert "initdb failed: initdb: error: invalid locale name" in str(initdb_failure(said, tmp_path, 5000))


def test_missing_binaries_are_named(data: Path) -> None:
    with pytest.raises(StackError, match="CARTEADO_POSTGRES_BIN=/nowhere holds no `postgres`"):
        find_binaries({"CARTEADO_POSTGRES_BIN": "/nowhere"})
