"""`make bench`: the platform beside peers and limits of the same machine, all in one run.

Figures of a machine say little; what is compared is measured in turns, round by round, on the same machine in the same
minute. See docs/performance.md.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence

import msgspec

from deploy.local.failure import StackError
from tests.bench import machine, profile, rows, servers, worker
from tests.bench.interruption import Interruption
from tests.bench.report import Report, Settings, report, text
from tests.bench.rounds import SECTIONS, Rounds, run_all, say

_BUSY = 0.5
_EXIT_FAILED, _EXIT_INTERRUPTED = 1, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the bench; gives the exit code."""
    # A script's background job inherits an ignored SIGINT; it must be possible to stop it all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options = _parser().parse_args(arguments)
    settings = Settings(
        options.seconds,
        options.rounds,
        options.tables,
        options.streams,
        options.limits_rounds,
        options.stalled,
    )
    interruption = Interruption()
    interruption.listen()
    try:
        if options.profile:
            said = _profile(settings, interruption)
        else:
            result = _measure(settings, options.only, interruption)
            said = msgspec.json.encode(result).decode() if options.json else text(result)
    except KeyboardInterrupt:
        say("interrupted; everything that was started has been stopped")
        return _EXIT_INTERRUPTED
    except (worker.BenchError, StackError) as error:
        say(f"failed: {error}")
        return _EXIT_FAILED
    print(said)
    return 0


def _measure(settings: Settings, sections: Sequence[str], interruption: Interruption) -> Report:
    chosen = [section for name, section in SECTIONS.items() if name in sections]
    with servers.running(has_front=any(section.has_front for section in chosen)) as where:
        described = machine.look(where.postgres, where.nats_binary, where.work)
        if described.load_average > _BUSY:
            say(f"this machine is busy (load average {described.load_average:.1f}): ratios may be off")
        run = Rounds(where, settings, interruption)
        rounds = run_all(run, chosen, settings)
    return report(described, settings, rounds)


def _profile(settings: Settings, interruption: Interruption) -> str:
    profiles = []
    with servers.running(is_profiled=True) as where:
        run = Rounds(where, settings, interruption)
        for name in (rows.PLAY, rows.PLAY_ALONE):
            run.play_stream(has_viewers=name == rows.PLAY, is_profiled=True)
            profiles.append(profile.read(where.work / servers.PROFILE, rows.ROWS[name].title))
    return "\n\n".join(profiles)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make bench", description="Speed as ratios against peers and limits of the same run."
    )
    parser.add_argument("--seconds", type=_positive(float), default=2.0, help="for each measurement (2)")
    parser.add_argument("--rounds", type=_positive(int), default=3, help="times that all is measured (3)")
    parser.add_argument(
        "--tables", type=_positive(int), default=64, help="tables, a move in flight each (64)"
    )
    parser.add_argument("--streams", type=_positive(int), default=8, help="streams that carry them (8)")
    parser.add_argument(
        "--only",
        type=_sections,
        default=list(SECTIONS),
        metavar="SECTION,...",
        help=f"of {', '.join(SECTIONS)} (all)",
    )
    parser.add_argument(
        "--limits-rounds", type=_positive(int), default=5, help="times that the limits are measured (5)"
    )
    parser.add_argument(
        "--stalled", type=_positive(int), default=1_000, help="readers that do not read (1000)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    parser.add_argument(
        "--profile", action="store_true", help="say where the table service's time goes instead"
    )
    return parser


def _sections(value: str) -> list[str]:
    chosen = value.split(",")
    if unknown := [name for name in chosen if name not in SECTIONS]:
        raise argparse.ArgumentTypeError(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    return chosen


def _positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    def parse(value: str) -> float:
        number = kind(value)
        if not 0 < number < 100_000:
            raise ValueError(value)
        return number

    parse.__name__ = "positive number"
    return parse


if __name__ == "__main__":
    sys.exit(main())
