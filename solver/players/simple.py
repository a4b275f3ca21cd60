"""Players without search: perfect play by the labels, random play, and play by a plan."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from solver.errors import BadParameter, NoMove
from solver.game import AnyGame
from solver.plans.plan import Plan, planned_move
from solver.plans.reader import read_plan
from solver.players.oracle import Truth
from solver.players.trembling import TREMBLE, Trembling
from solver.rules.asking import actions_of, mover_of
from solver.rules.loading import game_name, game_parameters
from solver.rules.named import same_play
from solver.rules.notation import write_action, write_position
from solver.rules.parameters import with_parameters


class Perfect:
    """Play the first best move: win as fast, or lose as slowly, as possible.

    If `tricky`, play the value-preserving move that is hardest to answer for an opponent who trembles with
    probability `tremble` (see `solver.players.trembling`).
    """

    deterministic: ClassVar[bool] = True

    def __init__(self, game: AnyGame, truth: Truth, tricky: bool = False, tremble: float = TREMBLE) -> None:
        """Solve the game if necessary; raise `Unsolved` or `BadParameter` here, not in mid-game."""
        self.game, self.truth, self.tricky = game, truth, tricky
        self.ranks = Trembling(truth.database(), tremble)

    def choose(self, state: Any, random: Random) -> Any:
        """The first best move of the entry or, if `tricky`, the first choice of the ranking."""
        entry = self.truth.entry(state)
        move = self.ranks.choice(entry).move if self.tricky else entry.best_move
        return action_called(self.game, state, move)


@dataclass(frozen=True)
class Chance:
    """Play a random legal move, chosen uniformly."""

    game: AnyGame

    def choose(self, state: Any, random: Random) -> Any:
        """One of the legal actions."""
        return random.choice(actions_of(self.game, state))


class ByPlan:
    """Play by a plan."""

    deterministic: ClassVar[bool] = True

    def __init__(self, game: AnyGame, plan: Plan) -> None:
        self.game, self.plan = game, plan

    def choose(self, state: Any, random: Random) -> Any:
        """The plan's move; raises `NoMove` in a state that the plan does not reach."""
        mover, position = mover_of(self.game, state), write_position(self.game, state)
        if mover != self.plan.owner:
            to_move = self.game.players[mover]
            raise NoMove(f"the plan is for {self.plan.owner_name}, but {to_move} is to move in {position!r}")
        move = planned_move(self.plan, state)
        if move is None:
            raise NoMove(
                f"the plan for {self.plan.owner_name} from {self.plan.root!r} does not go to {position!r}"
            )
        return action_called(self.game, state, move)


class Planned(ByPlan):
    """Play by a plan in a JSON file."""

    def __init__(self, game: AnyGame, file: str) -> None:
        """Read the plan; raises `BadParameter` if it is for another game, and what `read_plan` raises."""
        super().__init__(game, read_plan(Path(file)))
        planned, played = identity(self.plan.game), identity(game)
        if planned == played and not same_play(self.plan.game, game):
            raise BadParameter(f"{file} is a plan for other rules of that name than those of {played[0]}")
        if planned != played:
            words = f"{with_parameters(*planned)}, but what is played is {with_parameters(*played)}"
            raise BadParameter(f"{file} is a plan for {words}")


def action_called(game: AnyGame, state: Any, name: str | int | None) -> Any:
    """The legal action called `name`; raises `NoMove` if there is none."""
    for action in actions_of(game, state):
        if write_action(game, action) == name:
            return action
    raise NoMove(f"there is no move {name!r} in {write_position(game, state)!r}")


def identity(game: AnyGame) -> tuple[str, dict[str, Any]]:
    """The identity of a game: its name and parameters."""
    return game_name(game), game_parameters(game)
