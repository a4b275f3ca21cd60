"""The diagram of a plan in words: its legend, and the description of an SVG."""

from exporters.diagram.scene import Scene
from exporters.palette import plain
from solver.analysis.certificates.mark import lines_of
from solver.rules.asking import board_of

GAIN_WORDS = {1: "win", 0: "draw or better", -1: "loss"}
BORDER_WORDS = {1: "solid border", 0: "dotted border", -1: "double border"}


def description(scene: Scene) -> str:
    """The diagram in lines of text: its size, its legend, and the owner's move in each position."""
    part, owner = scene.part, scene.plan.owner_name
    moves = dict.fromkeys((before.position, after.position) for before, after in part.moves)
    lines = [
        f"{len(part.positions)} positions and {len(moves)} moves in {len(part.plies) - 1} plies.",
        f"{'; '.join(legend(scene))}.",
    ]
    for position, child in moves:
        if scene.kind(position) == "or":
            names = ", ".join(map(str, scene.graph.edges[position, child]["moves"]))
            lines.append(f"In {position} {owner} plays {names}.")
    return "\n".join(map(plain, [*lines, *lines_of(scene.plan.marks)]))


def legend(scene: Scene) -> list[str]:
    """The meanings of arrows, colours and borders, one by one."""
    plan, part = scene.plan, scene.part
    owner, other = plan.owner_name, plan.game.players[1 - plan.owner]
    boards = [board_of(plan.game, scene.state(position)) for position in part.positions]
    meanings = [f"thick arrow: {owner} moves (OR)", f"thin: {other} replies (AND)"]
    if any(boards):
        meanings += [f"yellow: {owner}'s move", f"grey: {other}'s last"]
    meanings += ["above a board: the move to it"] if any(map(scene.move_above, part.places)) else []
    gains = set(map(scene.sign, part.positions))
    meanings += [
        f"{border}: {GAIN_WORDS[gain]} for {owner}" for gain, border in BORDER_WORDS.items() if gain in gains
    ]
    meanings += ["dashed border, …: goes on"] if part.cut else []
    meanings += ["dashed arrow, as 1: goes on as at number 1"] if scene.numbers else []
    meanings += ["each board stands for its turned and mirrored ones, too"] if plan.folded else []
    meanings += ["ring at an arrow: the board after it is turned or mirrored"] if scene.turns else []
    return meanings
