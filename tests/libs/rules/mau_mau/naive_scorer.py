"""A second Mau Mau, written from docs/rulings/mau-mau.md alone: slow, plain, and with nothing of ours in it.

It is given the deal, each move as it was made, and the orders in which the pile was shuffled, and says after each move
what everybody holds, who is next and what is owed. It refuses nothing: what it is given was accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def rank(card: str) -> str:
    return card[: len(card) - 1]


def suit(card: str) -> str:
    return card[len(card) - 1]


class Naive:
    """A match as it stands."""

    def __init__(
        self,
        switches: Mapping[str, str],
        dealer: int,
        cards: Sequence[Sequence[str]],
        turned: str,
        stock: Sequence[str],
        shuffles: Iterator[Sequence[str]],
    ) -> None:
        self.until_playable = switches["draw_rule"] == "until_playable"
        self.calls = switches["call"] == "true"
        self.hands = [list(hand) for hand in cards]
        self.seats = len(cards)
        self.stock = list(stock)
        self.pile = [turned]
        self.shuffles = shuffles
        self.clockwise = True
        self.owed = 0
        self.named = suit(turned)
        self.turns_over = 0
        self.guilty: int | None = None
        self.winner: object = "nobody yet"
        self.drew = False
        self.to_play: int | None = self.neighbour(dealer)
        if switches["first_card"] == "as_discard":
            self.effect(dealer, turned)

    def neighbour(self, seat: int, back: bool = False) -> int:
        """The next seat in the direction of play, or the one before."""
        return (seat + (1 if self.clockwise != back else -1)) % self.seats

    def effect(self, seat: int, card: str) -> None:
        """What a card does that was laid by a seat, and who is next (M-04 to M-06, M-09)."""
        if rank(card) == "Q":
            self.clockwise = not self.clockwise
        self.to_play = self.neighbour(seat)
        if rank(card) == "A":
            self.to_play = self.neighbour(self.to_play)
        if rank(card) == "7":
            self.owed += 2
        if rank(card) == "9":
            self.draw(self.neighbour(seat, back=True), 1)

    def draw(self, seat: int, count: int) -> list[str]:
        """One card after another; the pile is shuffled when the stock has none (M-10)."""
        drawn: list[str] = []
        while len(drawn) < count:
            if not self.stock:
                if len(self.pile) == 1:
                    break
                order = list(next(self.shuffles))
                assert sorted(order) == sorted(self.pile[:-1])
                self.stock, self.pile = order, self.pile[-1:]
            drawn.append(self.stock.pop(0))
        self.hands[seat] += drawn
        return drawn

    def fits(self, card: str) -> bool:
        top = self.pile[-1]
        if self.owed:
            return rank(card) == "7"
        if rank(top) == "J":
            return suit(card) == self.named or rank(card) == "J"
        if suit(card) == suit(top) or rank(card) == rank(top):
            return True
        return rank(card) == "J" and rank(top) != "7"

    def lay(self, seat: int, card: str, named: str | None, called: bool) -> None:
        assert self.fits(card)
        if called and len(self.hands[seat]) != 2:
            self.draw(seat, 5)
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.named = named or suit(card)
        self.guilty = None
        if not self.hands[seat]:
            self.winner, self.owed = seat, 0
            return
        if self.calls and len(self.hands[seat]) == 1 and not called:
            self.guilty = seat
        self.effect(seat, card)
        self.turn_over()

    def turn_over(self) -> None:
        self.turns_over += 1
        self.drew = False
        if self.turns_over == 600:
            counts = [len(hand) for hand in self.hands]
            best = [seat for seat in range(self.seats) if counts[seat] == min(counts)]
            self.winner = best[0] if len(best) == 1 else None

    def draws_in_turn(self, seat: int) -> list[str]:
        could = any(self.fits(card) for card in self.hands[seat])
        drawn = self.draw(seat, 1)
        while self.until_playable and not could and drawn and not self.fits(drawn[-1]):
            more = self.draw(seat, 1)
            if not more:
                break
            drawn += more
        return drawn

    def do(self, seat: int, kind: str, move: Mapping[str, object]) -> None:
        """A move by its name and its fields."""
        if kind != "Accuse":
            assert seat == self.to_play
        match kind:
            case "PlayCard":
                named = move["suit"]
                assert named is None or isinstance(named, str)
                self.lay(seat, str(move["card"]), named, bool(move["call"]))
            case "DrawCard":
                self.draws_in_turn(seat)
                self.drew = True
            case "DrawAndGo":
                drawn = self.draws_in_turn(seat)
                if drawn and self.fits(drawn[-1]):
                    self.lay(seat, drawn[-1], None, self.calls and len(self.hands[seat]) == 2)
                else:
                    self.passes(seat)
            case "Pass":
                self.passes(seat)
            case "TakePenalty":
                self.draw(seat, self.owed)
                self.owed = 0
                self.passes(seat)
            case "Accuse":
                accused = move["seat"]
                assert isinstance(accused, int)
                self.draw(accused if accused == self.guilty else seat, 5)
                if accused == self.guilty:
                    self.guilty = None

    def passes(self, seat: int) -> None:
        self.guilty = None
        self.to_play = self.neighbour(seat)
        self.turn_over()
