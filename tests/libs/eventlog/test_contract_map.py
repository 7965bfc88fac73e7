"""Which test shows which promise of the log. A promise without a test, or a test that is gone, fails here.

`BOTH` are shown on the store in memory and on Postgres alike (they take the fixture `store`); `POSTGRES` are what only a
real server can show: races between connections, rollbacks, lost connections, killed processes.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = Path(__file__).parents[2]

BOTH = {
    "a row keeps all that came with the event": ["test_what_was_appended_is_read_back"],
    "the public message stands on its event's row": ["test_the_public_message_is_kept_with_its_event"],
    "(stream, version) is the only arbiter of a race": [
        "test_b090_twenty_writers_on_one_version_one_wins",
        "test_a_wrong_expected_version_is_a_conflict_and_appends_nothing",
        "test_two_replicas_racing_lose_nothing",
    ],
    "positions of a partition are contiguous and grow with versions": [
        "test_positions_grow_together_with_the_versions_of_a_stream"
    ],
    "the partition is part of the stream's id and checked": [
        "test_a_stream_id_of_the_wrong_partition_is_refused"
    ],
    "an append is all or nothing": ["test_a_command_appends_all_of_its_events_or_none"],
    "one command's conflict fails that command alone": ["test_a_conflict_fails_its_own_command_alone"],
    "a poisoned command fails alone": ["test_b100_one_poisoned_command_in_a_batch_of_fifty_fails_alone"],
    "two commands on one stream given at once": [
        "test_commands_on_one_stream_given_at_once_are_appended_in_order"
    ],
    "text that cannot be stored is refused at the edge": [
        "test_b100_a_payload_with_an_escaped_nul_is_refused_at_the_edge",
        "test_b100_metadata_that_cannot_be_stored_is_refused_at_the_edge",
        "test_b100_text_that_cannot_be_stored_is_refused_and_the_next_command_works",
    ],
    "the same id again gets the first outcome": [
        "test_the_same_id_again_gets_the_first_outcome",
        "test_b083_the_same_id_again_gets_the_first_outcome",
        "test_b083_five_clicks_under_one_id_are_one_event_and_five_equal_answers",
    ],
    "also after a restart and on another replica": [
        "test_the_same_id_again_gets_the_first_outcome_on_another_replica_and_after_a_restart",
        "test_the_same_id_given_twice_at_once_is_appended_once",
    ],
    "the same id with another body is refused": ["test_the_same_id_with_another_body_is_refused"],
    "the id is looked up before any refusal": ["test_the_id_is_looked_up_before_a_refusal_is_given"],
    "refused commands are not remembered": [
        "test_a_refused_command_is_not_remembered",
        "test_a_command_that_was_in_conflict_is_not_remembered",
    ],
    "a refused command changes nothing": ["test_b086_a_refused_command_changes_nothing"],
    "a refusal or a view is given only on the head of the log": [
        "test_a_refusal_is_given_only_on_the_head_of_the_log",
        "test_a_view_is_given_only_on_the_head_of_the_log",
    ],
    "one command per stream is in flight per replica": [
        "test_commands_on_one_stream_are_decided_one_after_another"
    ],
    "several streams in one command are appended all or nothing": [
        "test_a_command_over_several_streams_is_appended_whole",
        "test_a_command_over_several_streams_with_one_conflict_appends_nothing",
        "test_a_command_over_two_categories_is_appended_to_each_stream",
        "test_overlapping_commands_on_three_replicas_neither_deadlock_nor_part_the_streams",
    ],
    "deadlines are stored by the append": [
        "test_an_append_moves_the_deadline_and_one_without_clears_it",
        "test_a_command_that_is_not_appended_leaves_the_deadline_alone",
        "test_the_log_knows_the_next_deadline",
    ],
    "others take what is overdue, once, and again when the claim dies": [
        "test_overdue_deadlines_are_claimed_once_and_again_later",
        "test_a_claim_whose_replica_dies_is_taken_again",
    ],
    "a deadline fires on time from a timer, late from a sweep": [
        "test_the_timer_fires_a_warm_stream_on_time",
        "test_what_nobody_has_warm_is_swept_up_when_it_is_over_a_second_late",
    ],
    "a late timer does not hit the next turn": [
        "test_b074_a_late_deadline_does_not_hit_the_next_turn",
        "test_b074_a_move_and_the_timer_at_once_make_one_event_for_the_turn",
    ],
    "an outage is recorded once": ["test_beats_record_an_outage_once"],
    "an unknown event stops the reader loudly": ["test_b093_an_unknown_event_stops_the_reader_loudly"],
    "reads are pages": [
        "test_reading_a_range_of_versions_and_a_page",
        "test_a_replay_across_pages_is_whole",
    ],
}

POSTGRES = {
    "twenty writers on one version: one success, nineteen refusals, one row": [
        "test_b090_twenty_writers_on_twenty_connections_one_wins"
    ],
    "a transaction held open across others": [
        "test_b088_a_transaction_held_open_makes_no_reader_skip",
        "test_another_partition_does_not_wait_for_a_held_transaction",
        "test_b088_eight_writers_and_a_reader_see_each_event_once",
    ],
    "a rollback gives the numbers back": ["test_b089_a_rollback_leaves_no_gap"],
    "two commands on one stream in a batch": [
        "test_two_commands_on_one_stream_in_one_statement_append_nothing_of_it"
    ],
    "one poisoned command in a batch of fifty": [
        "test_b100_a_statement_of_fifty_with_one_poisoned_command_is_tried_again_one_by_one"
    ],
    "connection lost during commit": [
        "test_a_connection_lost_during_an_append_is_looked_up_before_an_answer",
        "test_an_append_whose_answer_is_lost_is_answered_as_the_duplicate_that_it_is",
        "test_an_append_that_stays_in_doubt_says_that_its_outcome_is_not_known",
        "test_a_server_that_dies_between_two_partitions_leaves_neither",
    ],
    "the same id on two replicas and after a restart": [
        "test_the_same_id_gets_the_first_outcome_after_a_restart_and_on_another_replica",
        "test_the_same_id_on_two_replicas_at_once_is_appended_once",
    ],
    "counter rows are locked in a fixed order": ["test_commands_over_many_partitions_do_not_deadlock"],
    "no claim is held while a command runs": [
        "test_a_claim_holds_no_lock_while_its_command_runs",
        "test_a_claim_whose_process_is_killed_before_the_decision_is_taken_again",
    ],
    "time is the database's": [
        "test_b082_a_process_clock_that_jumps_an_hour_moves_no_deadline",
        "test_b082_nothing_in_the_log_asks_the_process_for_the_time_of_day",
    ],
    "outages never cost a player": [
        "test_b076_a_another_replica_plays_for_a_killed_one_on_time",
        "test_b076_b_an_outage_moves_the_deadline_and_says_so",
        "test_b076_c_all_replicas_down_for_fifteen_seconds_cost_one_turn_its_own_time",
        "test_the_database_down_for_twenty_seconds_costs_no_player_time",
    ],
    "a stored event is never altered": ["test_a_stored_event_is_never_altered"],
    "another number of partitions is refused at start": ["test_another_number_of_partitions_is_refused"],
    "what is committed is published, once and in order, whatever dies": [
        "test_b096_killed_at_every_point_around_commit_and_publish",
        "test_b096_nats_away_for_a_while_loses_nothing_and_the_backlog_rises_and_falls",
        "test_three_processes_pump_each_partition_once_and_take_over_from_a_killed_one",
        "test_an_operator_can_rewind_a_running_relay",
    ],
    "doubled, late and shuffled delivery is harmless": [
        "test_b091_doubled_late_and_shuffled_messages_have_each_their_effect_once",
        "test_b091_nats_restarted_in_the_middle_loses_and_doubles_nothing",
        "test_a_redriven_message_that_fails_again_is_parked_again",
    ],
}

CASES = [
    "b074",
    "b076",
    "b082",
    "b083",
    "b086",
    "b088",
    "b089",
    "b090",
    "b091",
    "b093",
    "b095",
    "b096",
    "b098",
    "b100",
    "b101",
]
"""The fault cases of clocks, concurrency and the event store that concern the log."""


def _tests(folder: Path) -> dict[str, set[str]]:
    """Every test function and the names of its parameters."""
    found: dict[str, set[str]] = {}
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                found.setdefault(node.name, set()).update(argument.arg for argument in node.args.args)
    return found


HERE_TESTS = _tests(HERE)
ALL_TESTS = frozenset(_tests(TESTS))


@pytest.mark.parametrize("promise", BOTH)
def test_a_promise_of_every_store_is_shown_on_both(promise: str) -> None:
    for name in BOTH[promise]:
        assert HERE_TESTS.get(name, set()) & {"store", "keeping"}, f"{name} does not run on both stores"


@pytest.mark.parametrize("promise", POSTGRES)
def test_a_promise_of_a_real_server_is_shown(promise: str) -> None:
    assert [name for name in POSTGRES[promise] if name not in HERE_TESTS] == []


@pytest.mark.parametrize("case", CASES)
def test_every_fault_case_of_the_log_has_a_test_named_after_it(case: str) -> None:
    assert [name for name in ALL_TESTS if re.search(rf"_{case}(_|$)", name)]
