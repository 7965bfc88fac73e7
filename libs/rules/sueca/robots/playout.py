"""A hand played to its end with all cards open to the player and to nobody else: each seat plays sensibly."""

from __future__ import annotations

from libs.rules.sueca.robots.reading import WORTH, Reading
from libs.rules.sueca.robots.sensible import sensible_card


def played_out(reading: Reading, world: list[int], first: int) -> tuple[int, int]:
    """The card points of side 0, and the tricks of side 0, at the end of a hand in this world that goes on with `first`."""
    hands = world[:]
    trump, leader = reading.trump, reading.leader
    plays = [*reading.plays, first]
    hands[reading.seat] ^= 1 << first
    points, tricks = reading.points[0], reading.tricks[0]
    unplayed = hands[0] | hands[1] | hands[2] | hands[3]
    seat = (reading.seat + 1) % 4
    while True:
        while len(plays) < 4:
            hand = hands[seat]
            card = sensible_card(hand, unplayed ^ hand, plays, trump)
            hands[seat] ^= 1 << card
            unplayed ^= 1 << card
            plays.append(card)
            seat = (seat + 1) % 4
        best, place = plays[0], 0
        for number in (1, 2, 3):
            card = plays[number]
            if card > best if card // 10 == best // 10 else card // 10 == trump:
                best, place = card, number
        leader = seat = (leader + place) % 4
        if seat % 2 == 0:
            tricks += 1
            points += WORTH[plays[0]] + WORTH[plays[1]] + WORTH[plays[2]] + WORTH[plays[3]]
        if not unplayed:
            return points, tricks
        plays = []
