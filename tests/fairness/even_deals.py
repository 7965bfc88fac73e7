"""Whether deals come out even: counts of many deals, and how unlikely such counts would be if they were."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from libs.rules.shuffle import Draws
from libs.rules.truco.cards import PACK
from libs.rules.truco.deal import dealt_hand, first_dealer
from libs.rules.truco.game import TRUCO_PAULISTA

HANDS = 10
"""Hands dealt of each match: labels are tested beside each other, not only from match to match."""

PLACES = 13
"""Four seats with three cards each, and the vira."""

Deal = tuple[int, tuple[str, ...]]
"""The first dealer of the match, and the cards by place: seat 0's three, …, seat 3's three, the vira."""


def deals(seed: str, matches: int) -> Iterable[list[Deal]]:
    """Matches with secrets, ids and entropy from a seed, dealt by the code that deals to players."""
    chance = random.Random(seed)
    rules = TRUCO_PAULISTA.rule_set({})
    for number in range(matches):
        entropy = [chance.randbytes(32) if chance.random() < 0.5 else b"" for _ in range(4)]
        draws = Draws(chance.randbytes(32), f"{seed}-{number}", entropy)
        dealer = first_dealer(4, draws)
        hands = []
        for hand in range(1, HANDS + 1):
            dealt = dealt_hand(rules, (0, 0), draws, hand=hand, dealer=(dealer + hand - 1) % 4, players=4)
            hands.append(
                (dealer, (*dealt.cards[0], *dealt.cards[1], *dealt.cards[2], *dealt.cards[3], dealt.vira))
            )
        yield hands


class Counts:
    """What is counted over many deals."""

    def __init__(self) -> None:
        self.deals = 0
        self.dealers: Counter[int] = Counter()
        self.places: Counter[tuple[int, str]] = Counter()
        self.neighbours: Counter[tuple[str, str]] = Counter()
        self.next_hands: Counter[tuple[str, str]] = Counter()

    def add(self, match: Sequence[Deal]) -> None:
        """Counts a match: its dealer; of each hand the card of each place, and the first card with the vira; the viras of
        neighbouring hands."""
        self.dealers[match[0][0]] += 1
        self.deals += len(match)
        for _, cards in match:
            self.places.update(enumerate(cards))
            self.neighbours[cards[0], cards[-1]] += 1
        # Every other pair, so that no vira is counted twice.
        for one, other in zip(match[::2], match[1::2], strict=True):
            self.next_hands[one[1][-1], other[1][-1]] += 1

    def merge(self, other: "Counts") -> None:
        """Adds the counts of another part."""
        self.deals += other.deals
        for name in ("dealers", "places", "neighbours", "next_hands"):
            getattr(self, name).update(getattr(other, name))

    def chances(self) -> dict[str, float]:
        """For each statistic, how likely even deals would give counts at least as uneven, or (when that is smaller) at
        least as even: too even is as wrong as too uneven."""
        tails = {
            "first dealer": plain(self.dealers, 4),
            "places and cards": self._places(),
            "first card and vira": plain(self.neighbours, 40 * 39),
            "viras of neighbouring hands": plain(self.next_hands, 40 * 40),
        }
        return {name: min(tail, 1 - tail) for name, tail in tails.items()}

    def _places(self) -> float:
        """Every card is somewhere and every place has a card, so the cells are not independent: with m places of a shuffle
        of k, (k−1)/n · (Σ d² + Σ_cards (Σ_places d)²/(k−m)) has m·(k−1) degrees of freedom, d being the deviations."""
        k, m, n = len(PACK), PLACES, self.deals
        expected = n / k
        total = 0.0
        for card in PACK:
            deviations = [self.places[place, card] - expected for place in range(m)]
            total += sum(d * d for d in deviations) + sum(deviations) ** 2 / (k - m)
        return upper_tail((k - 1) / n * total, m * (k - 1))


def plain(counts: Counter, cells: int) -> float:  # type: ignore[type-arg] -- of any kind of cell
    """Pearson's statistic of equally likely cells: how likely a value at least as large is."""
    n = sum(counts.values())
    expected = n / cells
    seen = sum((count - expected) ** 2 for count in counts.values())
    return upper_tail((seen + (cells - len(counts)) * expected**2) / expected, cells - 1)


def upper_tail(statistic: float, degrees: int) -> float:
    """The chance that a chi-square variable is at least this large: the regularised incomplete gamma function Q(a, x)."""
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        # P(a, x) by its series.
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - total * scale
    # Q(a, x) by its continued fraction (modified Lentz).
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        change = d * c
        h *= change
        if abs(change - 1) < 1e-15:
            break
    return scale * h


def counted(seed: str, matches: int, source: Callable[[str, int], Iterable[list[Deal]]] = deals) -> Counts:
    """The counts of so many matches."""
    counts = Counts()
    for match in source(seed, matches):
        counts.add(match)
    return counts
