"""Every bound of the gateway in one value, so that a reader sees what a client can cost and a test can make it small."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one client, and all of them together, may use. Times in seconds, sizes in bytes."""

    sockets: int = 10_000
    """Open WebSockets of this process; one more is refused with SERVER_FULL."""

    sockets_per_player: int = 32
    """Of these, one player's; for one more the one that said Hello first is closed with TOO_MANY_SOCKETS."""

    message_bytes: int = 16 * 1024
    """One message of a client, and the body of one HTTP request."""

    receive_bytes: int = 4 * 1024
    """What the kernel is asked to keep of what a socket's client has sent and nobody has read; it takes twice as much."""

    messages_per_s: float = 20.0
    messages_burst: int = 60
    """A socket's messages, control frames included; beyond the bucket it is closed with RATE_LIMITED."""

    flood_pause_s: float = 2.0
    """How long a player whose socket was closed so is told RATE_LIMITED at the next Hello."""

    outbox_items: int = 512
    outbox_bytes: int = 2 * 1024 * 1024
    """What waits for one socket's reader: enough for all that a client may be told it has missed (400 versions).
    Beyond it the socket is closed with SLOW_READER."""

    outboxes_bytes: int = 256 * 1024 * 1024
    """What waits for all of them; beyond it the one that would get more is closed in the same way."""

    tables_per_socket: int = 8
    commands_per_socket: int = 16
    """Tables followed, and commands without an answer yet; beyond them one message is refused."""

    hello_timeout_s: float = 5.0
    expiry_grace_s: float = 60.0
    """A socket says Hello within the first, and closes the second after its token has expired."""

    command_timeout_s: float = 5.0
    """How long a client waits for a command's outcome before it is told UNAVAILABLE."""

    call_timeout_s: float = 5.0
    calls_in_flight: int = 256
    """Unary calls to other services: the deadline of each, and how many run at once; one more is refused with OVERLOADED."""

    guests_per_s: float = 5.0
    guests_burst: int = 300
    renewals_per_s: float = 20.0
    renewals_burst: int = 600
    """New guests, and renewed sessions, from one network address, which a whole school may share (and, behind a proxy,
    everybody); beyond the bucket one is refused with RATE_LIMITED."""

    practices_per_s: float = 1.0
    practices_burst: int = 60
    """Training tables of one player; beyond the bucket one is refused with RATE_LIMITED."""

    records_per_s: float = 1.0
    records_burst: int = 30
    """Pages of finished matches for one player; beyond the bucket one is refused with RATE_LIMITED."""

    names_per_s: float = 3.0
    names_burst: int = 60
    """Requests for the names of players, up to a hundred each, of one player; beyond the bucket one is refused with
    RATE_LIMITED."""

    account_calls_per_s: float = 2.0
    account_calls_burst: int = 60
    """Requests about one player's own account, friends and blocks; beyond the bucket one is refused with RATE_LIMITED."""

    league_calls_per_s: float = 2.0
    league_calls_burst: int = 60
    """One player's questions about the Liga; beyond the bucket one is refused with RATE_LIMITED."""

    access_calls_per_s: float = 2.0
    access_calls_burst: int = 60
    """One player's questions about access and passports; beyond the bucket one is refused with RATE_LIMITED."""

    room_calls_per_s: float = 3.0
    room_calls_burst: int = 60
    """One player's calls about rooms and open tables; beyond the bucket one is refused with RATE_LIMITED."""

    wishes_per_s: float = 0.2
    wishes_burst: int = 60
    """Of these, the ones that change where the player is: each stands in the log for ever; beyond the bucket one is refused
    with RATE_LIMITED."""

    place_waits_each: int = 4
    place_waits: int = 4096
    place_wait_timeout_s: float = 50.0
    """Waits for a change of one's place, which last up to 20 s: of one player, of all (one more is refused with
    RATE_LIMITED or OVERLOADED), and their deadline, of which each of two replicas has half."""

    place_look_s: float = 1.0
    """How soon a wait ends whose client has closed the connection, so that a page that is loaded again may wait again."""

    access_timeout_s: float = 1.0
    """How long billing is waited for before access is answered without it."""

    names_timeout_s: float = 1.0
    """How long accounts is waited for before open tables and the Liga's are listed without names."""

    barred_poll_s: float = 15.0
    """How often accounts is asked who is kept out, beside being heard of at once: a revoked session's socket is closed
    within this time and a call, whatever NATS does."""

    presence_change_s: float = 0.5
    presence_all_s: float = 10.0
    """How often the other services are told which players came and went, and who is here at all."""

    heartbeat_s: float = 30.0
    """A socket that says nothing is pinged this often and closed when it does not answer for half of it."""

    close_timeout_s: float = 1.0
    """How long a closing socket may take to read its last message and to answer the close, before it is cut."""

    link_queue_items: int = 4096
    link_batch_items: int = 64
    """What waits to be sent to one table replica, and how much of it goes into one message."""

    link_commands: int = 4096
    """Commands without an answer yet, all sockets together; one more is refused with OVERLOADED."""

    link_silence_s: float = 1.5
    """A stream on which a table replica says nothing for so long is dropped: a live one says something every 0.5 s."""

    reconnect_first_s: float = 0.1
    reconnect_most_s: float = 1.0
    """Bounds of the pause, doubled at each failure, before a lost stream to a table replica is opened again."""
