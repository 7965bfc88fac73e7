"""Checks a match of Mau Mau by docs/fairness.md alone: `python -m tests.fairness.verifier_mau_mau RECORD.json`.

The draws are those of verifier.py; here the stock is followed as well, since what is drawn late was dealt at the beginning.
"""

import hashlib
import json
import sys
from pathlib import Path

from tests.fairness.verifier import Match

PACK = [rank + suit for suit in "PCEO" for rank in ("A", *"23456789", "10", *"JQK")] * 2


def problems(record):
    """What is wrong with a record, in words; nothing when the match was fair."""
    events = [(event["type"], event["payload"]) for event in record["events"]]
    opened, ended = events[0][1], events[-1][1]
    secret, entropy = bytes.fromhex(ended["secret"]), [bytes.fromhex(item) for item in opened["entropy"]]
    if hashlib.sha256(secret).hexdigest() != opened["commitment"]:
        yield "the secret is not the one that was committed to"
    if (record["secret"], record["entropy"]) != (ended["secret"], opened["entropy"]):
        yield "the record's head is not that of its events"
    match, count = Match(secret, opened["table_id"], entropy), len(opened["seats"])
    dealer, pack = match.below(match.words("dealer"), count), match.shuffled("deal", PACK)
    held = {(dealer + 1 + turn) % count: pack[5 * turn : 5 * turn + 5] for turn in range(count)}
    pile, stock, shuffles = [pack[5 * count]], pack[5 * count + 1 :], 0
    deals = [event for kind, event in events if kind == "mau_mau.cards_dealt"]
    if len(deals) != 1 or deals[0]["dealer"] != dealer:
        yield "not one deal, or another dealer"
    for deal in deals:
        if (deal["cards"], deal["turned"], deal["stock"]) != (
            [held[seat] for seat in range(count)],
            pile[0],
            stock,
        ):
            yield "other cards than the secret deals"
    for kind, event in events:
        if kind in ("mau_mau.cards_drawn", "mau_mau.penalty_taken"):
            if event["cards"] != stock[: len(event["cards"])]:
                yield f"turn {event['turn']}: other cards than the stock's first were drawn"
            held[event["seat"]] = held[event["seat"]] + event["cards"]
            stock = stock[len(event["cards"]) :]
        elif kind == "mau_mau.pile_shuffled":
            shuffles += 1
            if event["order"] != match.shuffled(f"pile-{shuffles}", pile[:-1]):
                yield f"shuffle {shuffles}: another order than the secret gives"
            stock, pile = stock + event["order"], pile[-1:]
        elif kind == "mau_mau.card_played":
            pile.append(event["card"])
            if event["card"] not in held[event["seat"]]:
                yield f"turn {event['turn']}: seat {event['seat']} played a card that it did not have"
            else:
                held[event["seat"]].remove(event["card"])


if __name__ == "__main__":
    found = list(problems(json.loads(Path(sys.argv[1]).read_text())))
    print("\n".join(found) or "fair: every card is the one that the secret deals")
    sys.exit(bool(found))
