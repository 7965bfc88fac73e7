"""A message joined from serialised parts reads like one that was written whole, in libraries that merge and in others."""

import pytest

from carteado.table.v1 import view_pb2
from libs.wire.joined import nested, tag


@pytest.mark.parametrize("length", [0, 1, 127, 128, 4095, 4096, 16_383, 16_384, 70_000])
def test_a_nested_field_has_its_whole_length(length: int) -> None:
    data = b"ab" * (length // 2) + b"c" * (length % 2)
    field = nested(tag(view_pb2.TableView, "secret"), [data[: length // 3], data[length // 3 :]])
    assert field.endswith(data)
    assert view_pb2.TableView.FromString(field) == view_pb2.TableView(secret=data)


def test_a_field_is_written_in_one_piece() -> None:
    parts = [
        view_pb2.TableView(table_id="t").SerializeToString(),
        view_pb2.TableView(your_seat=2).SerializeToString(),
    ]
    joined = nested(tag(view_pb2.TableUpdate, "view"), parts)
    whole = view_pb2.TableUpdate(view=view_pb2.TableView(table_id="t", your_seat=2))
    assert joined == whole.SerializeToString()
