"""The legend of a search tree: the meanings of numbers, lines and colours, and the player of each ply."""

from exporters.diagram.dot import BORDER_WORDS
from exporters.search_tree.captions import sign_of
from exporters.search_tree.scene import SearchScene
from solver.database.wording import ending
from solver.game import FIRST
from solver.search.trace import UNKNOWN, Interval, Sample, Visit


def legend(scene: SearchScene) -> list[str]:
    """The meanings of numbers, lines and colours."""
    game, nodes = scene.trace.game, scene.trace.nodes
    visits = {node.visit for node in nodes}
    max_name, owner = game.players[FIRST], game.players[scene.owner]
    sampled = any(isinstance(node.finding, Sample) for node in nodes)
    chosen = any(node.choice is not None for node in nodes)
    conditions = {
        f"plan: {owner} reaches the goal": scene.planning,
        "arc: all replies count": scene.planning,
        f"means of playouts for {max_name}": sampled,
        f"green: high for {max_name}": sampled,
        "violet: low": sampled,
        "width of a line: visits": sampled,
        "coloured: chosen": sampled and chosen,
        f"values for {max_name}": not scene.planning
        and any(isinstance(node.finding, Interval) and node.finding != UNKNOWN for node in nodes),
        "≤ and ≥: bounds": any(
            isinstance(node.finding, Interval) and node.finding.low != node.finding.high for node in nodes
        ),
        "≈: heuristic": Visit.EVALUATED in visits,
        "thick: chosen": chosen and not sampled,
        "grey: cut off, not visited": Visit.CUT in visits,
        "known: not searched again": Visit.KNOWN in visits,
        "again: play returns": Visit.REPEATED in visits,
        "dashed border, …: goes on": any(node.goes_on for node in nodes),
    }
    meanings = [words for words, holds in conditions.items() if holds]
    if not scene.lettered:
        signs = {sign_of(node, scene.notation) for node in nodes}
        for sign, border in BORDER_WORDS.items():
            planned = "a plan" if sign > 0 else "no plan"
            outcome = planned if scene.planning else ending(game, sign, None)
            meanings += [f"{border}: {outcome}"] if sign in signs else []
    return meanings


def ply_names(scene: SearchScene) -> list[str]:
    """The player who moves in each ply; "" if it is not the same throughout the ply."""
    plies: dict[int, set[int]] = {}
    for node in scene.trace.nodes:
        plies.setdefault(node.depth, set())
        mover = scene.mover(node)
        if mover is not None:
            plies[node.depth].add(mover)
    waits = scene.planning and scene.trace.root.visit is not Visit.REPLIES and plies[0] == {1 - scene.owner}
    names = [[] if waits and not depth else [*movers] for depth, movers in plies.items()]
    return [_side(scene, movers[0]) if len(movers) == 1 else "" for movers in names]


def _side(scene: SearchScene, player: int) -> str:
    """The player's name with its role in the search, MAX or MIN, OR or AND, unless that is the name."""
    name = scene.trace.game.players[player]
    part = ("MAX", "MIN")[player]
    if scene.planning:
        part = "OR" if player == scene.owner else "AND"
    return name if name.upper() == part else f"{name} ({part})"
