"""What a caller may settle for a search, whichever it is; each search takes what concerns it."""

from dataclasses import dataclass

from solver.search.playouts import Policy
from solver.search.ucb1 import EXPLORATION


@dataclass(frozen=True)
class Settings:
    """The settings of a search."""

    owner: int | None = None
    """Whose plan to find: 0, 1 or the player to move."""
    goal: str | None = None
    """What the plan should reach, `win` or `draw`; by default the better one that can be reached."""
    depth: int = 4
    """How many plies to look ahead before guessing."""
    playouts: int = 1000
    """How many games to play out."""
    exploration: float = EXPLORATION
    """The constant C of UCB1 and UCT."""
    seed: int = 0
    """What the random moves follow from."""
    endless: str = "draw"
    """Who gets play that never ends, one of `solver.game.ENDLESS`."""
    policy: Policy | None = None
    """How both sides play a game out; by default at random."""
    most_nodes: int | None = None
    """After how many nodes to give up."""
