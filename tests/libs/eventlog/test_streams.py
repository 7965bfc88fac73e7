import doctest
from hashlib import blake2b

import pytest

from libs.eventlog import streams
from libs.eventlog.errors import StreamIdError
from libs.eventlog.streams import PARTITIONS, parse_stream, partition_of, stream_id


def test_the_examples_hold():
    assert doctest.testmod(streams).failed == 0


def test_the_partition_is_the_first_byte_of_the_ids_blake2b_modulo_16():
    for name in ("a", "6f1c", "çã"):
        assert partition_of(name) == blake2b(name.encode("utf-8")).digest()[0] % 16


def test_a_stream_id_is_category_partition_and_id():
    parts = parse_stream(stream_id("table", "6f1c-22"))
    assert parts == ("table", partition_of("6f1c-22"), "6f1c-22")


def test_ids_spread_over_all_partitions():
    assert {partition_of(str(number)) for number in range(500)} == set(range(PARTITIONS))


@pytest.mark.parametrize("category", ["", "Table", "a-b", "1a", "a" * 41, "a\0"])
def test_other_categories_are_refused(category):
    with pytest.raises(StreamIdError):
        stream_id(category, "x")


@pytest.mark.parametrize("name", ["", "a b", "ç", "a\0", "a\n", "x" * 121])
def test_other_ids_are_refused(name):
    with pytest.raises(StreamIdError):
        stream_id("table", name)


@pytest.mark.parametrize(
    "stream", ["", "table", "table-1-x", "table-07", "table-99-x", "table-13-t1\n", "-13-t1"]
)
def test_what_is_no_stream_id_is_refused(stream):
    with pytest.raises(StreamIdError):
        parse_stream(stream)


def test_a_stream_id_that_names_another_partition_is_refused():
    with pytest.raises(StreamIdError, match="partition 12, its id's is 13"):
        parse_stream("table-12-t1")
