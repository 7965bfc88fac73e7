"""What the wire knows of a game: how its moves, views and told events become messages and come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from google.protobuf.message import Message


class GameCodec(msgspec.Struct, frozen=True):
    """A game between libs/rules and its package of messages. Each function knows its own types.

    A view goes in two parts, which together are the message: `fill_shared_view` writes what is said alike to every
    viewer of one state, `own_view` gives the bytes of what is said to its viewer alone.
    """

    view_message: type[Message]
    move_from_proto: Callable[[Any], Any]
    move_to_proto: Callable[[Any], Message]
    fill_shared_view: Callable[[Any, Any], None]
    own_view: Callable[[Any], bytes]
    view_from_proto: Callable[[Any, int | None], Any]
    seen_to_proto: Callable[[Any], Message]
