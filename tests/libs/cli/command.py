"""`carteado` in the process of the tests: starting Python anew for each of hundreds of calls would take minutes.

`test_main` and the stacks' tests run the installed script.
"""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from unittest import mock

from libs.cli.main import main


def run(words: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """What it prints, and its exit code, with these variables set."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["carteado", *words]),
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(["carteado", *words], code, out.getvalue(), err.getvalue())
