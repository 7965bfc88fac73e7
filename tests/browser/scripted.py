"""A table whose every state the test writes: for what a real match comes to too rarely to wait for.

The views are messages of the contract in the gateway's own JSON form, so the page cannot tell; only the moves are not decided.
"""

import datetime
import json
import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from playwright.sync_api import Page, WebSocketRoute, expect

from carteado.cards.v1 import cards_pb2 as cards
from carteado.games.truco.v1 import truco_pb2 as truco
from carteado.gateway.v1 import gateway_pb2 as gateway
from carteado.table.v1 import view_pb2 as table

ME = "00000000-0000-4000-8000-00000000000a"
OTHER = "00000000-0000-4000-8000-00000000000b"
RANKS = {
    "A": cards.RANK_ACE,
    "2": cards.RANK_TWO,
    "3": cards.RANK_THREE,
    "4": cards.RANK_FOUR,
    "5": cards.RANK_FIVE,
    "6": cards.RANK_SIX,
    "7": cards.RANK_SEVEN,
    "8": cards.RANK_EIGHT,
    "9": cards.RANK_NINE,
    "10": cards.RANK_TEN,
    "J": cards.RANK_JACK,
    "Q": cards.RANK_QUEEN,
    "K": cards.RANK_KING,
}
SUITS = {"P": cards.SUIT_PAUS, "C": cards.SUIT_COPAS, "E": cards.SUIT_ESPADAS, "O": cards.SUIT_OUROS}
GESTURES = (
    truco.GESTURE_PISCAR,
    truco.GESTURE_SOBRANCELHA,
    truco.GESTURE_BOCHECHA,
    truco.GESTURE_LINGUA,
)


def card(code: str, pack: int = 0) -> cards.Card:
    """The card of a code such as "7C" or "10O"."""
    return cards.Card(rank=RANKS[code[:-1]], suit=SUITS[code[-1]], pack=pack)


def trick(
    leader: int, *played: tuple[int, str], winner: int | None = None, over: bool = False
) -> truco.Trick:
    """A trick; a covered card is written as ""."""
    shown = [
        truco.PlayedCard(seat=seat, card=card(code)) if code else truco.PlayedCard(seat=seat, covered=True)
        for seat, code in played
    ]
    return truco.Trick(leader=leader, cards=shown, is_over=over, winner_seat=winner)


def plays(*codes: str, hand: int = 1, number: int = 1, covered: bool = False) -> list[truco.LegalMove]:
    """Each card may be played, open or covered too."""
    return [
        truco.LegalMove(
            move=truco.Move(
                play_card=truco.PlayCard(hand=hand, trick=number, card=card(code), covered=face_down)
            )
        )
        for code in codes
        for face_down in ((False, True) if covered else (False,))
    ]


def signals(hand: int = 1) -> list[truco.LegalMove]:
    """Each gesture may be made."""
    return [
        truco.LegalMove(move=truco.Move(signal=truco.Signal(hand=hand, gesture=gesture)))
        for gesture in GESTURES
    ]


def meanings(order: str = "PCEO", side: int = 0) -> truco.SignalTable:
    """What a side's gestures mean: the suits in the order of the gestures."""
    pairs = [
        truco.SignalMeaning(gesture=one, suit=SUITS[suit]) for one, suit in zip(GESTURES, order, strict=True)
    ]
    return truco.SignalTable(side=side, meanings=pairs)


class ScriptedTable:
    """A server that says what it is told to say, over the page's one WebSocket. A game is named as in the contracts."""

    def __init__(
        self,
        page: Page,
        url: str,
        seats: int = 4,
        *,
        game: str = "truco",
        preset: str = "truco-paulista",
        switches: Mapping[str, str] = MappingProxyType({}),
        watching: bool = False,
    ) -> None:
        """With `watching` the page has no seat at it."""
        self.page = page
        self._game = game
        self._preset = preset
        self._switches = [table.Switch(name=name, value=value) for name, value in switches.items()]
        self.table_id = str(uuid.uuid4())
        self.seats = seats
        self.watching = watching
        self._moves: list[dict[str, Any]] = []
        # Who sets this ends the match with the next view.
        self.result: table.Result | None = None
        # Who sets this has the page's player absent from the next view on, until the seat is claimed.
        self.is_absent = False
        # Who sets this has the page's player eliminated from the next view on.
        self.is_out = False
        # Who sets this has moves undecided until the next view is shown.
        self.takes_its_time = False
        self._undecided: list[gateway.ServerMessage] = []
        self._url = url
        self._version = 0
        self._socket: WebSocketRoute | None = None
        self._claim = ""
        self._view: table.TableView | None = None
        session = {
            "playerId": ME,
            "name": "Zica",
            "secret": "s",
            "token": "t",
            "refreshToken": "",
            "renewedAt": 0,
        }
        page.add_init_script(
            f"localStorage.setItem('carteado.session', JSON.stringify({json.dumps(session)}))"
        )
        names = {"players": [{"player_id": OTHER, "name": "Dona Bia"}]}
        page.route("**/api/v1/players?*", lambda route: route.fulfill(json=names))
        page.route_web_socket("**/ws", self._serve)

    @property
    def moves(self) -> list[dict[str, Any]]:
        """What the page has sent so far. What it sends in answer to a tap or a key arrives before the answer to a question asked after."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")
        return self._moves

    def open(self, view: Message, waits_for: tuple[int, ...] = (0,)) -> None:
        """Goes to the table and waits until it is drawn, with the seat taken up from this page."""
        self._keep(view, waits_for)
        drawn = self._version if self._claim or self.watching else self._version + 1
        self.page.goto(f"{self._url}/#mesa={self.table_id}")
        self._wait_until_drawn(drawn)

    def show(self, view: Message, *events: Message, waits_for: tuple[int, ...] = (0,)) -> None:
        """Sends the next update. Without an event nothing is paused at on the way, and it is waited for."""
        before = self._version
        self._keep(view, waits_for)
        told = [table.TableEvent(version=self._version) for _ in events]
        for wrapped, event in zip(told, events, strict=True):
            getattr(wrapped, self._game).CopyFrom(event)
        self._send_update(before, told)
        while self._undecided:
            self._send(self._undecided.pop(0))
        if not events:
            self._wait_until_drawn(self._version)

    def _wait_until_drawn(self, version: int) -> None:
        expect(self.page.locator("#table")).to_have_attribute("data-version", str(version))

    def _keep(self, view: Message, waits_for: tuple[int, ...]) -> None:
        self._version += 1
        now = datetime.datetime.now(datetime.UTC)
        message = table.TableView(
            table_id=self.table_id,
            version=self._version,
            status=table.TABLE_STATUS_PLAYING,
            preset=self._preset,
            switches=self._switches,
            seats=[
                table.Seat(index=index, kind=table.SEAT_KIND_PERSON if index == 0 else table.SEAT_KIND_ROBOT)
                for index in range(self.seats)
            ],
            room=table.ROOM_LIVRE,
            your_seat=None if self.watching else 0,
            commitment=bytes(32),
            entropy=[b""] * self.seats,
        )
        getattr(message, self._game).CopyFrom(view)
        if self.result is not None:
            message.status = table.TABLE_STATUS_ENDED
            message.result.CopyFrom(self.result)
        message.seats[0].player_id = OTHER if self.watching else ME
        message.seats[0].claim = self._claim
        message.seats[0].absent = self.is_absent or self.is_out
        message.seats[0].eliminated = self.is_out
        if waits_for:
            message.clock.turn = self._version
            message.clock.seats.extend(waits_for)
            message.clock.started_at.FromDatetime(now - datetime.timedelta(seconds=6))
            message.clock.due_at.FromDatetime(now + datetime.timedelta(seconds=14))
        self._view = message

    def _serve(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._take)

    def _take(self, payload: str | bytes) -> None:
        message = json_format.Parse(payload, gateway.ClientMessage())
        if message.HasField("hello"):
            welcome = gateway.Welcome(player_id=ME)
            welcome.server_time.GetCurrentTime()
            welcome.token_expires_at.FromDatetime(
                datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
            )
            self._send(gateway.ServerMessage(welcome=welcome))
        elif message.HasField("attach_table"):
            self._send_update(0, [])
        elif message.HasField("command"):
            self._decide(message.command)

    def _decide(self, command: Any) -> None:
        outcome = gateway.CommandResult(command_id=command.command_id)
        outcome.outcome.accepted.version = self._version
        if command.HasField("claim_seat"):
            self._claim = command.claim
            assert self._view is not None
            before, self._version = self._version, self._version + 1
            self._view.version = self._version
            self._view.seats[0].claim = self._claim
            self._view.seats[0].absent = self.is_out
            self.is_absent = False
            outcome.outcome.accepted.version = self._version
            self._send_update(before, [])
        else:
            self._moves.append(json_format.MessageToDict(getattr(command, self._game)))
        answer = gateway.ServerMessage(command_result=outcome)
        if self.takes_its_time and not command.HasField("claim_seat"):
            self._undecided.append(answer)
        else:
            self._send(answer)

    def _send_update(self, before: int, events: list[table.TableEvent]) -> None:
        update = table.TableUpdate(
            table_id=self.table_id,
            from_version=before,
            to_version=self._version,
            events=events,
            view=self._view,
        )
        update.server_time.GetCurrentTime()
        self._send(gateway.ServerMessage(update=update))

    def _send(self, message: gateway.ServerMessage) -> None:
        assert self._socket is not None
        self._socket.send(
            json_format.MessageToJson(message, indent=None, always_print_fields_with_no_presence=True)
        )
