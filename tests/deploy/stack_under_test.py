"""`carteado up` with fake services: `stack_under_test.py DATA PORT NAME=BEHAVIOUR…`, the last one in front."""

import sys
from pathlib import Path

from deploy.local.console import Console
from deploy.local.service import Service
from deploy.local.supervisor import Options, run
from libs.cli.expected import ExpectedError
from libs.cli.main import report

FAKE = Path(__file__).with_name("fake_service.py")


def main() -> None:
    data, port, *services = sys.argv[1:]
    named = [service.partition("=") for service in services]
    options = Options(
        data=Path(data),
        port=int(port),
        services=[
            Service(
                name,
                has_log=True,
                is_front=name == named[-1][0],
                argv=(sys.executable, str(FAKE), name, behaviour or "works"),
            )
            for name, _, behaviour in named
        ],
    )
    try:
        run(options, Console())
    except ExpectedError as error:
        sys.exit(report(error))


if __name__ == "__main__":
    main()
