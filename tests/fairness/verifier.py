"""Checks a match's record by docs/fairness.md alone: `python verifier.py RECORD.json`. The standard library, nothing of ours."""

import hashlib
import hmac
import itertools
import json
import sys
from pathlib import Path

# By game: its ranks, the cards of a seat, and what shows which card, at which place of the pack for so many seats.
GAMES = {
    "truco": ("4567QJKA23", 3, "vira", lambda seats: 3 * seats),
    "sueca": ("23456QJK7A", 10, "trump_card", lambda seats: 10 * seats - 1),
    "domino": ("", 7, "", None),
}
TILES = [f"{low}-{high}" for low in range(7) for high in range(low, 7)]


class Match:
    def __init__(self, secret, match_id, entropy):
        listed = b"".join(bytes([len(item)]) + item for item in entropy)
        self.secret, self.prefix = secret, match_id.encode() + b"\0" + hashlib.sha256(listed).digest()

    def words(self, label):
        n = 0
        while True:
            message = self.prefix + label.encode() + b"\0" + n.to_bytes(8, "big")
            block = hmac.digest(self.secret, message, "sha256")
            yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
            n += 1

    @staticmethod
    def below(words, k):
        return next(word for word in words if word < 2**32 - 2**32 % k) % k

    def shuffled(self, label, items):
        items, words = list(items), self.words(label)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(words, i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def meanings(self, hand):
        orders = ["".join(order) for order in itertools.permutations("PCEO")]
        d = self.below(self.words(f"signals-{hand}"), 24 * 23)
        return [orders.pop(d // 23), orders[d % 23]]


def problems(record):
    """What is wrong with a record, in words; nothing when the match was fair."""
    events = [(event["type"], event["payload"]) for event in record["events"]]
    opened, ended = events[0][1], events[-1][1]
    secret, entropy = bytes.fromhex(ended["secret"]), [bytes.fromhex(item) for item in opened["entropy"]]
    if hashlib.sha256(secret).hexdigest() != opened["commitment"]:
        yield "the secret is not the one that was committed to"
    if (record["secret"], record["entropy"]) != (ended["secret"], opened["entropy"]):
        yield "the record's head is not that of its events"
    match = Match(secret, opened["table_id"], entropy)
    count, hand, held = len(opened["seats"]), 0, {}
    game = next(kind.partition(".")[0] for kind, _ in events if not kind.startswith("table."))
    if game not in GAMES:
        yield f"this program does not know how {game} is dealt"
        return
    ranks, each, shown, place = GAMES[game]
    dealer = match.below(match.words("dealer"), count)
    for kind, event in events:
        if kind == f"{game}.hand_dealt":
            cards = [rank + suit for suit in "PCEO" for rank in ranks]
            hand, pack = hand + 1, match.shuffled(f"hand-{hand + 1}", cards)
            seats = [(dealer + 1 + turn) % count for turn in range(count)]
            held = {seat: pack[each * turn : each * turn + each] for turn, seat in enumerate(seats)}
            if (event["hand"], event["dealer"]) != (hand, dealer):
                yield f"hand {hand}: not the next hand, or another dealer"
            if event[shown] != pack[place(count)] or any(
                event["cards"][seat] != held[seat] for seat in seats
            ):
                yield f"hand {hand}: other cards than the secret deals"
            if (tables := event.get("signal_tables")) and tables != match.meanings(hand):
                yield f"hand {hand}: other meanings of signals than the secret gives"
            dealer = (dealer + 1) % count
        elif kind == "domino.round_dealt":
            hand, pack = hand + 1, match.shuffled(f"round-{hand + 1}", TILES)
            held = {seat: pack[each * seat : each * seat + each] for seat in range(count)}
            if event["round"] != hand or (hand == 1 and "6-6" not in held[event["starter"]]):
                yield f"round {hand}: not the next round, or opened by another seat"
            if event["tiles"] != [held[seat] for seat in range(count)]:
                yield f"round {hand}: other tiles than the secret deals"
        elif kind in (f"{game}.card_played", f"{game}.tile_played"):
            piece = event["tile" if game == "domino" else "card"]
            if piece not in held[event["seat"]]:
                yield f"hand {hand}: seat {event['seat']} played a card that it did not have"
            else:
                held[event["seat"]].remove(piece)


if __name__ == "__main__":
    found = list(problems(json.loads(Path(sys.argv[1]).read_text())))
    print("\n".join(found) or "fair: every card is the one that the secret deals")
    sys.exit(bool(found))
