"""The data folder: what is refused before anything starts, and what is made once."""

import stat
from pathlib import Path

import pytest

from deploy.local import lock
from deploy.local.data_folder import check_space, fill, open_folder
from deploy.local.failure import StackError
from libs.service.credentials import Credentials


def test_a_new_folder_is_made_and_filled_once(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "deep" / "data")
    fill(folder, ["table", "gateway"])
    made = {path.name: path.read_bytes() for path in folder.root.rglob("*") if path.is_file()}
    assert {"version", "table-secret", "table.pem", "table.pub", "gateway.pem", "gateway.pub"} <= set(made)
    assert len(made["table-secret"]) == 32
    fill(open_folder(folder.root), ["table", "gateway"])
    assert made == {path.name: path.read_bytes() for path in folder.root.rglob("*") if path.is_file()}


def test_private_files_are_private(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    fill(folder, ["table"])
    for path in (folder.table_secret, folder.keys / "table.pem"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for path in (folder.keys, folder.logs):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_a_service_that_joins_later_gets_its_credentials(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    fill(folder, ["table"])
    before = (folder.keys / "table.pem").read_bytes()
    fill(folder, ["table", "chat"])
    assert (folder.keys / "chat.pem").exists()
    assert (folder.keys / "table.pem").read_bytes() == before


def test_the_services_accept_each_others_credentials(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    fill(folder, ["table", "gateway"])
    gateway, table = (Credentials(name, folder.keys) for name in ("gateway", "table"))
    assert table.verify(gateway.metadata("table")) == "gateway"


@pytest.mark.parametrize(
    ("written", "said"), [("2", "newer version"), ("one", "no format number"), ("-1", "no format number")]
)
def test_another_format_is_refused(tmp_path: Path, written: str, said: str) -> None:
    (tmp_path / "version").write_text(written)
    with pytest.raises(StackError, match=said):
        open_folder(tmp_path)


def test_what_is_no_folder_or_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StackError, match="is not a folder; choose another with --data"):
        open_folder(tmp_path / "file")
    with pytest.raises(StackError, match="cannot use the data folder"):
        open_folder(tmp_path / "file" / "data")
    with pytest.raises(StackError, match="cannot use the data folder"):
        open_folder(Path("/proc/carteado"))


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(StackError, match="holds other files"):
        open_folder(tmp_path)


def test_a_start_that_was_cut_short_may_be_repeated(tmp_path: Path) -> None:
    for name in ("version.partial", "lock"):
        (tmp_path / name).touch()
    fill(open_folder(tmp_path), [])
    assert (tmp_path / "version").read_text() == "1\n"


def test_a_nearly_full_disk_is_refused_with_numbers(tmp_path: Path) -> None:
    with pytest.raises(StackError, match="is full: 199 MB free, at least 200 MB are needed"):
        check_space(tmp_path, lambda _folder: 199_999_999)
    check_space(tmp_path, lambda _folder: 200_000_000)


def test_free_space_is_that_of_the_disk_where_a_folder_will_be(tmp_path: Path) -> None:
    check_space(tmp_path / "not" / "yet")


def test_one_holder_at_a_time_and_it_is_named(tmp_path: Path) -> None:
    assert lock.holder(tmp_path) is None
    with lock.held(tmp_path, "carteado up --port 1"):
        pid = lock.holder(tmp_path)
        with (
            pytest.raises(StackError, match=rf"in use by process {pid} \(carteado up --port 1\)"),
            lock.held(tmp_path, "carteado up --port 2"),
        ):
            pass
    assert lock.holder(tmp_path) is None
