"""What the arrows, colours and borders of a picture mean, in words."""

from exporters import palette
from exporters.diagram.scene import Scene
from solver.game import AnyGame
from solver.rules.asking import board_of, look_of

PROMISES = {1: "win", 0: "draw or better", -1: "loss"}
BORDERS = {1: "solid border", 0: "dotted border", -1: "double border"}


def legend(scene: Scene) -> list[str]:
    """What one has to know to read the picture, thing by thing."""
    plan, part = scene.plan, scene.part
    owner, other = plan.owner_name, plan.game.players[1 - plan.owner]
    meanings = [*_men(plan.game), f"thick arrow: {owner} moves", f"thin: {other} replies"]
    if any(board_of(plan.game, scene.state(position)) for position in part.positions):
        meanings += [f"yellow: {owner}'s move", f"grey: {other}'s last"]
    gains = set(map(scene.sign, part.positions))
    meanings += [
        f"{border}: {PROMISES[gain]} for {owner}" for gain, border in BORDERS.items() if gain in gains
    ]
    meanings += ["dashed border, …: goes on"] if part.cut else []
    meanings += ["each board stands for all that are symmetric to it"] if plan.folded else []
    meanings += ["ring at an arrow: then drawn turned or flipped"] if scene.turns else []
    return meanings


def _men(game: AnyGame) -> list[str]:
    """The glyphs of the players where each has only one."""
    glyphs: tuple[list[str], list[str]] = ([], [])
    for mark, glyph in look_of(game).glyphs.items():
        player = palette.owner(game, mark)
        if player is not None:
            glyphs[player].append(glyph)
    if any(len(each) != 1 for each in glyphs):
        return []
    return [f"{glyph} {player}" for (glyph,), player in zip(glyphs, game.players, strict=True)]
