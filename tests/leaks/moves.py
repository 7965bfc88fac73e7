"""How the tests play: a scripted way through every phase, and moves that no honest client would send."""

import random
from collections.abc import Callable
from typing import Any

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.rules.truco import moves as mv
from libs.rules.truco.robots import ROBOTS
from libs.wire.games import game_view_from_table, set_move
from tests.leaks.stage import Stage

Policy = Callable[[view_pb2.TableView, random.Random], Any]


def by_chance(view: view_pb2.TableView, chance: random.Random) -> Any:
    """Any legal move that does not lose by rule."""
    return ROBOTS["random"](game_view_from_table(view), chance)


def calm(view: view_pb2.TableView, chance: random.Random) -> Any:
    """Any legal move but a raise: a hand takes its eight moves and a point, so a match does not end by chance."""
    legal = [listed.move for listed in game_view_from_table(view).legal_moves if not listed.consequence]
    return chance.choice([move for move in legal if not isinstance(move, mv.Raise)])


def covering(view: view_pb2.TableView, chance: random.Random) -> Any:
    """A covered card wherever one may be played, and every raise is taken."""
    legal = [listed.move for listed in game_view_from_table(view).legal_moves if not listed.consequence]
    for kind in (mv.PlayCard, mv.AcceptRaise, mv.PlayElevenHand):
        moves = [move for move in legal if isinstance(move, kind)]
        if moves:
            return chance.choice([move for move in moves if getattr(move, "covered", False)] or moves)
    raise AssertionError("the awaited seat has nothing to do")


def through_every_phase(view: view_pb2.TableView, chance: random.Random) -> Any:
    """Points change sides by folds until it is eleven all, over a mão de onze for each; then the mão de ferro is played.

    One hand early on is played out, with covered cards.
    """
    seen = game_view_from_table(view)
    legal = [listed.move for listed in seen.legal_moves if not listed.consequence]
    plays = [move for move in legal if isinstance(move, mv.PlayCard)]
    if seen.iron_hand or seen.hand == 3:
        covered = [move for move in plays if move.covered]
        if plays:
            return chance.choice(covered or plays)
        return next(move for move in legal if isinstance(move, mv.AcceptRaise | mv.PlayElevenHand))
    for wanted in (mv.DeclineElevenHand, mv.Fold):
        for move in legal:
            if isinstance(move, wanted):
                return move
    ours = view.your_seat % 2
    behind = seen.score[ours] < seen.score[1 - ours] or (seen.score[0] == seen.score[1] and ours == 0)
    raises = [move for move in legal if isinstance(move, mv.Raise)]
    return raises[0] if raises and behind else chance.choice(plays)


class Towards:
    """Brings the match to a score by folds and declined mãos de onze, a point a hand, and stops where it is reached."""

    def __init__(self, score: tuple[int, int]) -> None:
        self._score = score

    def is_reached(self, view: view_pb2.TableView) -> bool:
        """Whether the next hand begins at this score."""
        return tuple(view.truco.score) == self._score

    def __call__(self, view: view_pb2.TableView, chance: random.Random) -> Any:
        seen = game_view_from_table(view)
        legal = [listed.move for listed in seen.legal_moves if not listed.consequence]
        for kind in (mv.DeclineElevenHand, mv.Fold):
            for move in legal:
                if isinstance(move, kind):
                    return move
        ours = (view.your_seat or 0) % 2
        wanted = [self._score[side] - seen.score[side] for side in (0, 1)]
        raises = [move for move in legal if isinstance(move, mv.Raise)]
        # The side that is further from its score takes the point, so that none is at eleven too early.
        if raises and wanted[ours] >= wanted[1 - ours]:
            return raises[0]
        return chance.choice([move for move in legal if isinstance(move, mv.PlayCard)])


async def play(
    stage: Stage,
    policy: Policy,
    seed: str,
    *,
    moves: int = 2_000,
    probe_every: int = 0,
    until: Callable[[view_pb2.TableView], bool] = lambda _: False,
) -> int:
    """Plays the persons' seats to the end, to a view that is wanted, or so many moves; gives how many were made."""
    chance = random.Random(seed)
    for made in range(moves):
        public = await stage.view(None)
        if public.HasField("result") or until(public):
            return made
        if probe_every and made % probe_every == 0:
            await probe(stage, chance)
        seats = [seat for seat in public.clock.seats if public.seats[seat].player_id]
        if not seats:
            continue
        seat = chance.choice(seats)
        view = await stage.view(seat)
        if view.version != public.version:
            continue
        move = policy(view, chance)
        command = stage.command()
        set_move(command, move)
        await stage.submit(seat, command)
    return moves


async def probe(stage: Stage, chance: random.Random) -> None:
    """What somebody who wants to know more would send; every answer is heard."""
    dealt = [payload for name, payload in stage.events() if name == "truco.hand_dealt"][-1]
    hand = dealt["hand"]
    for seat in range(4):
        stranger = (seat + 1) % 4
        wishes = [
            mv.PlayCard(hand, 1, card=chance.choice(dealt["cards"][stranger])),
            mv.PlayCard(hand, 2, card=chance.choice(dealt["cards"][seat])),
            mv.PlayCard(hand, 1, card=dealt["vira"], covered=True),
            mv.PlayCard(hand, 1, position=chance.randrange(4)),
            mv.PlayCard(hand + 1, 1, card=dealt["cards"][seat][0]),
            mv.Raise(hand, 12),
            mv.AcceptRaise(hand, 9),
            mv.Fold(hand, 6),
            mv.PlayElevenHand(hand),
        ]
        for wish in chance.sample(wishes, 3):
            command = stage.command()
            set_move(command, wish)
            # Asked, not done: what is legal by chance would change the match.
            request = pb.CheckMoveRequest(actor=stage.viewer(seat), command=command)
            await stage.ask("CheckMove", seat, stage.stub.CheckMove, request)
    command = stage.command()
    set_move(command, mv.PlayCard(hand, 1, card=dealt["cards"][0][0]))
    outsider = pb.Viewer(player_id="somebody")
    for request, method in (
        (pb.SubmitRequest(actor=outsider, command=command), stage.stub.Submit),
        (pb.SubmitRequest(actor=pb.Viewer(robot_seat=0), command=command), stage.stub.Submit),
        (pb.GetViewRequest(table_id=stage.table_id, viewer=pb.Viewer(robot_seat=0)), stage.stub.GetView),
        (pb.GetViewRequest(table_id=stage.table_id, viewer=outsider, at_version=2), stage.stub.GetView),
        (pb.GetRecordRequest(table_id=stage.table_id, viewer=stage.viewer(0)), stage.stub.GetRecord),
    ):
        await stage.ask(type(request).__name__, None, method, request)
    request = pb.GetViewRequest(table_id=stage.table_id, viewer=pb.Viewer(player_id=stage.players[0]))
    await stage.ask("GetView as robots", 0, stage.stub.GetView, request, caller="robots")
