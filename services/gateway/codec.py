"""The two forms in which a client may speak: protobuf in binary frames, or its JSON form in text frames."""

from __future__ import annotations

from typing import Protocol

import msgspec
from aiohttp import WSMessage, WSMsgType, web
from google.protobuf import json_format
from google.protobuf.message import DecodeError

from carteado.gateway.v1 import gateway_pb2
from carteado.table.v1 import view_pb2
from services.gateway.outbox import Update

Message = Update | gateway_pb2.ServerMessage


class Malformed(msgspec.Struct, frozen=True):
    """What came is no ClientMessage of this subprotocol."""


class Codec(Protocol):
    """Reads and writes messages of one subprotocol."""

    @property
    def frame_type(self) -> WSMsgType:
        """The only type of frame that carries messages."""

    def decode(self, frame: WSMessage) -> gateway_pb2.ClientMessage | Malformed:
        """Reads a client's frame."""

    async def send(self, socket: web.WebSocketResponse, item: Message) -> None:
        """Writes one item to the socket; waits while the client does not read."""


class ProtobufCodec:
    """Forwards the table service's bytes as they are, with a ServerMessage's tag and length before them."""

    frame_type = WSMsgType.BINARY

    def decode(self, frame: WSMessage) -> gateway_pb2.ClientMessage | Malformed:
        """Unknown fields are dropped: nothing that the contract does not name travels on."""
        try:
            message = gateway_pb2.ClientMessage.FromString(frame.data)
        except DecodeError:
            return Malformed()
        message.DiscardUnknownFields()
        return message

    async def send(self, socket: web.WebSocketResponse, item: Message) -> None:
        """Sends a binary frame."""
        if isinstance(item, Update):
            if item.encoded is None:
                item.encoded = wrap_update(item.table_update)
            await socket.send_bytes(item.encoded)
        else:
            await socket.send_bytes(item.SerializeToString())


class JsonCodec:
    """Transcodes; keys in camelCase, and fields with their default value are written too."""

    frame_type = WSMsgType.TEXT

    def decode(self, frame: WSMessage) -> gateway_pb2.ClientMessage | Malformed:
        """Unknown keys make a message malformed, as do wrong types and deep nesting."""
        message = gateway_pb2.ClientMessage()
        try:
            json_format.Parse(frame.data, message, max_recursion_depth=20)
        except json_format.ParseError:
            return Malformed()
        return message

    async def send(self, socket: web.WebSocketResponse, item: Message) -> None:
        """Sends a text frame."""
        if isinstance(item, Update):
            if item.transcoded is None:
                update = view_pb2.TableUpdate.FromString(item.table_update)
                item.transcoded = _as_json(gateway_pb2.ServerMessage(update=update))
            await socket.send_str(item.transcoded)
        else:
            await socket.send_str(_as_json(item))


def _as_json(message: gateway_pb2.ServerMessage) -> str:
    return json_format.MessageToJson(
        message, indent=None, ensure_ascii=False, always_print_fields_with_no_presence=True
    )


CODECS: dict[str, Codec] = {
    "carteado.v1.protobuf": ProtobufCodec(),
    "carteado.v1.json": JsonCodec(),
}
"""By subprotocol; the server prefers the first that the client offers."""

_LENGTH_DELIMITED = 2
_UPDATE_FIELD = gateway_pb2.ServerMessage.DESCRIPTOR.fields_by_name["update"].number
_UPDATE_TAG = bytes([_UPDATE_FIELD << 3 | _LENGTH_DELIMITED])


def wrap_update(table_update: bytes) -> bytes:
    """The bytes of ServerMessage{update}, from those of a TableUpdate, without reading them."""
    length = len(table_update)
    varint = bytearray()
    while length > 0x7F:
        varint.append(length & 0x7F | 0x80)
        length >>= 7
    varint.append(length)
    return _UPDATE_TAG + bytes(varint) + table_update
