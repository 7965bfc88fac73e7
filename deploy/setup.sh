#!/bin/sh
# Creates .venv with exactly what requirements.lock pins, hashes checked; safe to run again.
# uv is fetched first, by its own pinned hashes, because it installs the rest several times faster. It knows nothing of
# pip's configuration (a mirror, a company's certificate): where it cannot fetch, pip does.
set -eu
PYTHON=${PYTHON:-python3}

command -v "$PYTHON" >/dev/null 2>&1 || {
    echo "setup: $PYTHON not found; install Python 3.11 or later, or say make PYTHON=/path/to/python3" >&2; exit 1; }
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: Python 3.11 or later is needed, $PYTHON is $("$PYTHON" -V 2>&1); say make PYTHON=/path/to/python3.11" >&2; exit 1; }
"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || {
    echo "setup: the venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }

# A half-made environment (an interrupted set-up, another Python) is made anew.
if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    rm -rf .venv
    "$PYTHON" -m venv .venv
fi
rm -f .venv/.ready

if ! .venv/bin/uv --version >/dev/null 2>&1; then
    # The lock file's entry for uv: its line and the hash lines below it.
    awk '/^uv==/ {on=1} on && /^[a-z]/ && !/^uv==/ {exit} on && !/#/ {print}' requirements.lock >.venv/uv.lock
    echo "setup: installing uv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.lock
fi
echo "setup: installing the locked dependencies"
export VIRTUAL_ENV="$PWD/.venv" UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-1}"
.venv/bin/uv pip sync --quiet --compile-bytecode --require-hashes requirements.lock || {
    echo "setup: uv could not install them; asking pip"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
}
.venv/bin/uv pip install --quiet --no-deps --no-build-isolation -e .
touch .venv/.ready
echo "setup: done"
