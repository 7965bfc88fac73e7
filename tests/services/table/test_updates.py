"""A viewer's update is the same whoever was served before, and holds exactly what that viewer's own view says."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.table.v1 import view_pb2
from libs.eventlog.memory import utc_now
from services.table.decider import TABLE
from services.table.events import TableOpened
from services.table.messages import event_message, fill_view, timestamp
from services.table.updates import CommitUpdates, TableCommit
from services.table.view import Viewer
from tests.services.table.conftest import Serving

VIEWERS = (0, 1, 2, 3, None)


@pytest.fixture
async def commits(serving: Serving) -> list[TableCommit]:
    """A whole match of one person and three robots."""
    table_id = await serving.create("ana")
    await serving.play(table_id)
    return await serving.runtime.history(table_id)


def alone(commit: TableCommit, viewer: Viewer, at: datetime) -> view_pb2.TableUpdate:
    """The update that is built for this viewer and for nobody else."""
    update = view_pb2.TableUpdate(
        table_id=commit.after.table_id,
        from_version=commit.from_version,
        to_version=commit.to_version,
        server_time=timestamp(at),
    )
    for step in commit.steps:
        seen = TABLE.observe(step.event, step.before, step.after, viewer)
        if seen is not None:
            update.events.append(event_message(step.version, seen))
    fill_view(update.view, TABLE.view(commit.after, viewer), commit.to_version)
    return update


async def test_a_viewers_update_does_not_depend_on_who_was_served_before(commits: list[TableCommit]) -> None:
    at = utc_now()
    assert len(commits) > 20
    for commit in commits:
        for order in (VIEWERS, VIEWERS[::-1]):
            updates = CommitUpdates(commit, at)
            for viewer in order:
                data, from_version, to_version = updates.frame(viewer)
                assert view_pb2.TableUpdate.FromString(data) == alone(commit, viewer, at)
                assert (from_version, to_version) == (commit.from_version, commit.to_version)


async def test_viewers_with_different_cards_get_different_updates(commits: list[TableCommit]) -> None:
    updates = CommitUpdates(commits[0], utc_now())
    assert len({updates.frame(viewer)[0] for viewer in VIEWERS}) == len(VIEWERS)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(2026, 11, 29, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2026, 11, 29, 23, 59, 59, 1, tzinfo=timezone(timedelta(hours=-3))),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_a_time_is_what_protobuf_makes_of_it(moment: datetime) -> None:
    expected = Timestamp()
    expected.FromDatetime(moment)
    assert timestamp(moment) == expected


async def test_a_view_does_not_depend_on_the_order_in_which_the_log_gives_the_switches(
    commits: list[TableCommit],
) -> None:
    # JSONB orders keys in its own way: a replica that loads the table from the log must show what a warm one shows.
    opened = next(
        step.event for commit in commits for step in commit.steps if isinstance(step.event, TableOpened)
    )
    assert len(opened.switches) > 1
    reordered = msgspec.structs.replace(opened, switches=dict(reversed(opened.switches.items())))
    frames = []
    for event in (opened, reordered):
        message = view_pb2.TableView()
        fill_view(message, TABLE.view(TABLE.evolve(TABLE.initial(), event), 0), 1)
        frames.append(message.SerializeToString())
    assert frames[0] == frames[1]
