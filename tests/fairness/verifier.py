"""Checks a match's record by docs/fairness.md alone: `python verifier.py RECORD.json`. The standard library, nothing of ours."""

import hashlib
import hmac
import itertools
import json
import sys
from pathlib import Path


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


def pack_of(ranks):
    return [rank + suit for suit in "PCEO" for rank in ranks]


def played(held, event, piece, hand):
    """Takes what was played from its hand."""
    if event[piece] not in held[event["seat"]]:
        yield f"hand {hand}: seat {event['seat']} played a {piece} that it did not have"
    else:
        held[event["seat"]].remove(event[piece])


def by_hands(match, count, events, ranks, each, shown, place):
    """Truco and Sueca; `shown` is the field of the card that is shown, `place` where it lies in the pack."""
    hand, held, dealer = 0, {}, match.below(match.words("dealer"), count)
    for kind, event in events:
        if kind == "hand_dealt":
            hand, pack = hand + 1, match.shuffled(f"hand-{hand + 1}", pack_of(ranks))
            seats = [(dealer + 1 + turn) % count for turn in range(count)]
            held = {seat: pack[each * turn : each * turn + each] for turn, seat in enumerate(seats)}
            if (event["hand"], event["dealer"]) != (hand, dealer):
                yield f"hand {hand}: not the next hand, or another dealer"
            cards = [held[seat] for seat in range(count)]
            if (event[shown], event["cards"]) != (pack[place(count)], cards):
                yield f"hand {hand}: other cards than the secret deals"
            if (tables := event.get("signal_tables")) and tables != match.meanings(hand):
                yield f"hand {hand}: other meanings of signals than the secret gives"
            dealer = (dealer + 1) % count
        elif kind == "card_played":
            yield from played(held, event, "card", hand)


def domino(match, count, events):
    number, held = 0, []
    for kind, event in events:
        if kind == "round_dealt":
            tiles = [f"{low}-{high}" for low in range(7) for high in range(low, 7)]
            number, order = number + 1, match.shuffled(f"round-{number + 1}", tiles)
            held = [order[7 * seat : 7 * seat + 7] for seat in range(count)]
            if event["round"] != number or (number == 1 and "6-6" not in held[event["starter"]]):
                yield f"round {number}: not the next round, or opened by another seat"
            if event["tiles"] != held:
                yield f"round {number}: other tiles than the secret deals"
        elif kind == "tile_played":
            yield from played(held, event, "tile", number)


def mau_mau(match, count, events):
    held, pile, stock, shuffles = {}, [], [], 0
    for kind, event in events:
        if kind == "cards_dealt":
            dealer = match.below(match.words("dealer"), count)
            pack = match.shuffled("deal", pack_of(["A", *map(str, range(2, 11)), *"JQK"]) * 2)
            for turn in range(count):
                held[(dealer + 1 + turn) % count] = pack[5 * turn : 5 * turn + 5]
            pile, stock = [pack[5 * count]], pack[5 * count + 1 :]
            if event["dealer"] != dealer:
                yield "another dealer than the secret gives"
            cards = [held[seat] for seat in range(count)]
            if (event["cards"], event["turned"], event["stock"]) != (cards, pile[0], stock):
                yield "other cards than the secret deals"
        elif kind == "pile_shuffled":
            shuffles += 1
            order = match.shuffled(f"pile-{shuffles}", pile[:-1])
            pile, stock = pile[-1:], stock + order
            if (event["number"], event["order"]) != (shuffles, order):
                yield f"shuffle {shuffles}: another order than the secret gives"
        elif kind in ("cards_drawn", "penalty_taken"):
            drawn, stock = stock[: len(event["cards"])], stock[len(event["cards"]) :]
            held[event["seat"]] += drawn
            if event["cards"] != drawn:
                yield f"turn {event['turn']}: other cards than the stock's first were drawn"
        elif kind == "card_played":
            yield from played(held, event, "card", 1)
            pile.append(event["card"])


def buraco(match, count, events):
    number, starter, stock, mortos, lixo, held = 0, -1, [], [], [], []
    for kind, event in events:
        if kind == "deal_started":
            number += 1
            starter = match.below(match.words("starter"), count) if number == 1 else (starter + 1) % count
            pack = [card + copy for copy in "ab" for card in pack_of("A23456789TJQK")]
            pack += [f"JK{copy}" for copy in "abcd"[: int(match.switches["jokers"])]]
            pack = match.shuffled(f"deal-{number}", pack)
            held = [pack[11 * ((seat - starter) % count) :][:11] for seat in range(count)]
            mortos, stock = [pack[11 * count :][:11], pack[11 * count + 11 :][:11]], pack[11 * count + 22 :]
            lixo, is_turned = [], match.switches["lixo_start"] == "one_turned"
            while is_turned and match.switches["special_threes"] == "true" and stock[0][:2] in ("3C", "3O"):
                stock.append(stock.pop(0))
            lixo = [stock.pop(0)] if is_turned else []
            if (event["deal"], event["starter"]) != (number, starter):
                yield f"deal {number}: not the next deal, or begun by another seat"
            if [event[name] for name in ("hands", "mortos", "stock", "lixo")] != [held, mortos, stock, lixo]:
                yield f"deal {number}: other cards than the secret deals"
        elif kind in ("stock_drawn", "red_three_replaced"):
            held[event["seat"]].append(stock.pop(0))
            if event["card"] != held[event["seat"]][-1]:
                yield f"deal {number}: another card than the stock's first was drawn"
        elif kind in ("morto_taken", "morto_turned"):
            cards = mortos.pop(0)
            if kind == "morto_taken":
                held[event["seat"]] += cards
            else:
                stock = list(cards)
            if event["cards"] != cards:
                yield f"deal {number}: other cards than the first morto's"
        elif kind == "lixo_taken":
            held[event["seat"]] += lixo
            if event["cards"] != lixo:
                yield f"deal {number}: other cards than the lixo's"
            lixo = []
        elif kind in ("card_discarded", "red_three_laid"):
            lixo += [event["card"]] if kind == "card_discarded" else []
            yield from played(held, event, "card", number)
        elif kind in ("meld_laid", "meld_extended"):
            for card in event["added"] if kind == "meld_extended" else event["shape"]["cards"]:
                yield from played(held, {"seat": event["seat"], "card": card}, "card", number)


def cacheta(match, count, events):
    number, starter, alive, held, pile, stock, shuffles = 0, None, [10] * count, [], [], [], 0
    for kind, event in events:
        if kind == "round_dealt":
            number, shuffles, pile = number + 1, 0, []
            pack = [card + copy for copy in "ab" for card in pack_of("A23456789TJQK")]
            order = match.shuffled(f"round-{number}", pack)
            if starter is None:
                starter = match.below(match.words("starter"), count)
            else:
                following = [(starter + step) % count for step in range(1, count + 1)]
                starter = next(seat for seat in following if alive[seat])
            held = [[] for _ in range(count)]
            for seat in (turn % count for turn in range(starter, starter + count)):
                if alive[seat]:
                    held[seat], order = order[:9], order[9:]
            stock = order[1:]
            if (event["round"], event["starter"]) != (number, starter):
                yield f"round {number}: not the next round, or another starter"
            if (event["hands"], event["vira"], event["stock"]) != (held, order[0], stock):
                yield f"round {number}: other cards than the secret deals"
        elif kind == "stock_reshuffled":
            shuffles += 1
            stock = match.shuffled(f"reshuffle-{number}-{shuffles}", pile[:-1])
            pile = pile[-1:]
            if event["stock"] != stock:
                yield f"round {number}: another new stock than the secret gives"
        elif kind == "card_drawn":
            held[event["seat"]].append(stock.pop(0))
            if event["card"] != held[event["seat"]][-1]:
                yield f"round {number}: another card than the stock's first was drawn"
        elif kind == "discard_taken":
            held[event["seat"]].append(pile.pop())
        elif kind == "card_discarded":
            yield from played(held, event, "card", number)
            pile.append(event["card"])
        elif kind == "round_ended":
            alive = event["points"]


GAMES = {
    "truco": lambda *match: by_hands(*match, "4567QJKA23", 3, "vira", lambda seats: 3 * seats),
    "sueca": lambda *match: by_hands(*match, "23456QJK7A", 10, "trump_card", lambda seats: 10 * seats - 1),
    "domino": domino,
    "mau_mau": mau_mau,
    "cacheta": cacheta,
    "buraco": buraco,
}


def problems(record):
    """What is wrong with a record, in words; nothing when the match was fair."""
    events = [(event["type"], event["payload"]) for event in record["events"]]
    opened, ended = events[0][1], events[-1][1]
    secret, entropy = bytes.fromhex(ended["secret"]), [bytes.fromhex(item) for item in opened["entropy"]]
    if hashlib.sha256(secret).hexdigest() != opened["commitment"]:
        yield "the secret is not the one that was committed to"
    if (record["secret"], record["entropy"]) != (ended["secret"], opened["entropy"]):
        yield "the record's head is not that of its events"
    own = [(*kind.split("."), event) for kind, event in events if not kind.startswith("table.")]
    game = own[0][0]
    if game not in GAMES:
        yield f"this program does not know how {game} is dealt"
        return
    match = Match(secret, opened["table_id"], entropy)
    match.switches = opened["switches"]
    yield from GAMES[game](match, len(opened["seats"]), [(kind, event) for _, kind, event in own])


if __name__ == "__main__":
    found = list(problems(json.loads(Path(sys.argv[1]).read_text())))
    print("\n".join(found) or "fair: every card is the one that the secret deals")
    sys.exit(bool(found))
