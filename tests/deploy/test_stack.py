"""`carteado up` as its user meets it: start, stop, crashes, and what it refuses. The services are fake."""

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from deploy.local import discover, reading_postgres
from deploy.local.nats import Nats, find_binary
from deploy.local.ports import free_ports
from libs.cli.expected import ExpectedError

pytestmark = [pytest.mark.e2e]


def write_fact(conninfo: str) -> None:
    with psycopg.connect(conninfo, dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS facts (id serial PRIMARY KEY)")
        connection.execute("INSERT INTO facts DEFAULT VALUES")


def count_facts(conninfo: str) -> int:
    with psycopg.connect(conninfo, dbname="postgres") as connection:
        return connection.execute("SELECT count(*) FROM facts").fetchone()[0]


def test_it_says_ready_on_one_line_and_serves(start) -> None:
    stack = start()
    url = stack.ready()
    assert urllib.request.urlopen(f"{url}/readyz", timeout=30).status == 200
    assert stack.end() == 0
    assert stack.out == [f"ready {url}"]


def test_ctrl_c_leaves_no_process_within_ten_seconds(start) -> None:
    stack = start()
    stack.ready()
    assert len(stack.descendants()) >= 4  # Postgres, NATS, two services
    began = time.monotonic()
    assert stack.end(signal.SIGINT) == 0
    assert time.monotonic() - began < 10
    assert stack.left_behind(within_s=0) == set()


def test_a_script_can_stop_its_background_job(start) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as shells do for jobs in the background
    try:
        stack = start()
    finally:
        signal.signal(signal.SIGINT, before)
    stack.ready()
    assert stack.end(signal.SIGINT) == 0


def test_a_service_that_ignores_the_signal_is_killed_in_time(start) -> None:
    stack = start("table=stubborn", "gateway")
    stack.ready()
    began = time.monotonic()
    assert stack.end(signal.SIGTERM) == 0
    assert time.monotonic() - began < 10
    assert stack.left_behind(within_s=0) == set()
    assert any("table     does not stop, sending SIGKILL" in line for line in stack.lines)


def test_a_second_ctrl_c_hurries(start) -> None:
    stack = start("table=stubborn", "gateway")
    stack.ready()
    began = time.monotonic()
    stack.process.send_signal(signal.SIGINT)
    stack.wait_for("stopping")
    assert stack.end(signal.SIGINT) == 0
    assert time.monotonic() - began < 4
    assert stack.left_behind(within_s=0) == set()


def test_ctrl_c_while_starting_stops_it(start) -> None:
    stack = start("table=never-ready", "gateway")
    stack.wait_for("gateway   serves")
    assert stack.end() == 0
    assert stack.out == []
    assert stack.left_behind(within_s=0) == set()


@pytest.mark.fault
@pytest.mark.parametrize("name", ["postgres", "nats", "table", "gateway"])
def test_what_is_killed_comes_back(start, name: str) -> None:
    stack = start()
    stack.ready()
    killed = stack.pid_of(name)
    os.kill(killed, signal.SIGKILL)
    stack.wait_for(rf"{name} +died \(killed by SIGKILL\)")
    stack.wait_for(rf"{name} +serves again")
    assert stack.pid_of(name) != killed
    assert stack.end() == 0


@pytest.fixture
def small_disk(data: Path) -> Iterator[Path]:
    """The data folder on a disk of its own, which a test can fill; only root may mount one."""
    data.mkdir(mode=0o711)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400m,mode=711", "tmpfs", str(data)],
        capture_output=True,
        check=True,
    )
    yield data
    subprocess.run(["umount", "--lazy", str(data)], check=True)


@pytest.mark.proof
def test_what_dies_on_a_full_disk_is_back_once_there_is_space(small_disk: Path, start) -> None:
    """A service and NATS also before that; Postgres, which must write to recover, then."""
    stack = start()
    stack.ready()
    with (small_disk / "logs" / "gateway.log").open("ab") as log:
        log.write(b"too long for a log\n" * 600_000)
    filling = small_disk / "filling"
    with suppress(OSError), filling.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(65_536))
    for name in ("table", "nats", "postgres", "gateway"):
        os.kill(stack.pid_of(name), signal.SIGKILL)
    for name in ("table", "nats", "gateway"):
        stack.wait_for(rf"{name} +serves again")
    stack.wait_for("the disk is full")
    time.sleep(2)  # in which Postgres meets it
    filling.unlink()
    stack.wait_for("the disk has space again")
    stack.wait_for(r"postgres +serves again")
    with psycopg.connect(discover(small_disk).postgres, dbname="postgres") as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert stack.end() == 0


@pytest.mark.fault
def test_a_killed_supervisor_leaves_no_process_and_the_next_start_keeps_the_rows(start, data: Path) -> None:
    stack = start()
    stack.ready()
    write_fact(discover(data).postgres)
    stack.end(signal.SIGKILL)
    assert stack.left_behind(within_s=5) == set()
    again = start()
    again.ready()
    assert count_facts(discover(data).postgres) == 1


@pytest.mark.fault
def test_a_start_cut_short_while_making_the_database_is_made_good(start, data: Path) -> None:
    stack = start()
    deadline = time.monotonic() + 30
    while not list(data.glob("postgres/half-*/data")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    stack.end(signal.SIGKILL)
    assert not (data / "postgres" / "cluster").exists()
    again = start()
    again.ready()
    assert again.end() == 0
    assert not list(data.glob("postgres/half-*"))


def test_stopped_and_started_again_it_goes_on(start, data: Path) -> None:
    stack = start()
    stack.ready()
    write_fact(discover(data).postgres)
    assert stack.end() == 0
    again = start()
    again.ready()
    assert count_facts(discover(data).postgres) == 1


def test_the_log_can_be_read_while_the_stack_runs_and_when_it_does_not(start, data: Path) -> None:
    stack = start()
    stack.ready()
    assert discover(data).is_running
    with reading_postgres(data) as conninfo:
        write_fact(conninfo)
    assert stack.end() == 0
    assert not discover(data).is_running
    with reading_postgres(data) as conninfo:
        assert count_facts(conninfo) == 1


def test_without_a_stack_there_is_nothing_to_discover(data: Path) -> None:
    with pytest.raises(ExpectedError, match="there is no data folder"):
        discover(data)
    data.mkdir()
    with pytest.raises(ExpectedError, match="no stack has run in"):
        discover(data)


def refusal(stack) -> str:
    """The one line with which a start was refused."""
    assert stack.wait() != 0
    said = "\n".join(stack.lines)
    assert "Traceback" not in said
    assert stack.out == []
    (line,) = (line for line in stack.lines if line.startswith("carteado: "))
    return line


def test_a_second_stack_on_the_same_data_is_told_who_has_it(start) -> None:
    stack = start()
    stack.ready()
    line = refusal(start())
    assert f"in use by process {stack.process.pid}" in line
    assert "--data" in line
    assert stack.end() == 0


def test_a_taken_port_is_named_with_its_owner(start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        line = refusal(start(port=port))
    assert f"port {port} is taken by " in line
    assert f"(process {os.getpid()})" in line
    assert "--port" in line


def test_data_of_a_newer_version_is_left_alone(start, data: Path) -> None:
    data.mkdir()
    (data / "version").write_text("2\n")
    line = refusal(start())
    assert "newer version (format 2" in line
    assert not (data / "postgres").exists()


def test_a_service_that_finds_newer_data_stops_the_stack_with_its_message(start) -> None:
    stack = start("table=newer", "gateway")
    assert "table: the database carteado_table is newer than this code" in refusal(stack)
    assert stack.left_behind(within_s=0) == set()


def test_a_service_that_keeps_dying_stops_the_stack_with_its_log(start) -> None:
    stack = start("table=dies", "gateway")
    line = refusal(stack)
    assert re.search(r"table died 5 times within 30 s, last exit code 3", line)
    assert "  the cards are gone" in stack.lines
    assert stack.left_behind(within_s=0) == set()


def test_a_folder_with_other_things_is_not_touched(start, data: Path) -> None:
    data.mkdir()
    (data / "thesis.odt").write_text("precious")
    assert "holds other files" in refusal(start())
    assert [path.name for path in data.iterdir()] == ["thesis.odt"]


def test_own_servers_are_used_instead(start, clean_postgres: str, nats_url: str) -> None:
    stack = start(environment={"CARTEADO_POSTGRES": clean_postgres, "CARTEADO_NATS": nats_url})
    stack.ready()
    assert discover(stack.data).postgres == clean_postgres
    assert len(stack.descendants()) == 2  # the services alone
    assert stack.end() == 0


def test_own_servers_that_do_not_answer_are_named(start, nats_url: str) -> None:
    stack = start(environment={"CARTEADO_POSTGRES": "host=/nowhere", "CARTEADO_NATS": nats_url})
    assert "the Postgres of CARTEADO_POSTGRES does not answer" in refusal(stack)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        stack = start(environment={"CARTEADO_NATS": f"nats://127.0.0.1:{nobody.getsockname()[1]}"})
        assert "no NATS server answers at 127.0.0.1" in refusal(stack)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "has no JetStream for us; start it with `-js`"),
        (("--js", "--user", "carteado", "--pass", "hunter2"), "does not let us in: .*; look at the user"),
    ],
)
def test_a_nats_server_that_will_not_do_is_refused(start, tmp_path: Path, options, said: str) -> None:
    port = free_ports(1)[0]
    server = subprocess.Popen(
        [find_binary({}), "--addr", "127.0.0.1", "--port", str(port), "--store_dir", tmp_path, *options],
        stderr=subprocess.DEVNULL,
    )
    try:
        while not Nats(tmp_path, port, tmp_path).is_ready():
            time.sleep(0.05)
        line = refusal(start(environment={"CARTEADO_NATS": f"nats://127.0.0.1:{port}"}))
    finally:
        server.terminate()
        server.wait()
    assert re.search(rf"the NATS server at 127.0.0.1:{port} .*{said}", line)


def test_secrets_are_for_their_owner_alone(start, data: Path) -> None:
    stack = start()
    stack.ready()
    for name in ("stack.json", "table-secret", "keys/table.pem", "nats/password", "nats/nats.conf"):
        assert (data / name).stat().st_mode & 0o077 == 0, name
    password = discover(data).postgres.rpartition("password=")[2].strip("'")
    for pid in stack.descendants():
        assert password not in Path(f"/proc/{pid}/cmdline").read_text()
    secret = (data / "table-secret").read_bytes()
    assert len(secret) == 32
    assert stack.end() == 0
    again = start()
    again.ready()
    assert (data / "table-secret").read_bytes() == secret


def test_a_folder_with_an_odd_name(start, data: Path) -> None:
    data.mkdir()
    stack = start(data=data / 'o jogo d\'água, "2" \\ 50% ção')
    stack.ready()
    write_fact(discover(stack.data).postgres)
    assert stack.end() == 0
    again = start(data=stack.data)
    again.ready()
    assert count_facts(discover(stack.data).postgres) == 1


def test_an_ordinary_user_runs_it_too(start, data: Path) -> None:
    uid = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None
    data.mkdir()
    if uid is not None:
        shutil.chown(data, uid)
    stack = start(uid=uid)
    stack.ready()
    owner = Path(f"/proc/{stack.pid_of('postgres')}").stat().st_uid
    assert owner == (uid if uid is not None else os.geteuid())
    assert stack.end() == 0
    assert stack.left_behind(within_s=0) == set()
