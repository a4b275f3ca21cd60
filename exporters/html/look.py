"""The style of a game's boards, as members of the document that a page shows."""

from typing import Any

from solver.game import AnyGame
from solver.rules.asking import cell_names_of, look_of


def look_members(game: AnyGame) -> dict[str, Any]:
    """The owner and the glyph of each mark that has one, the ground, its ways and the names of cells."""
    look = look_of(game)
    return {
        "sides": {**{name: side for side, name in enumerate(game.players)}, **look.owners},
        "glyphs": dict(look.glyphs),
        "ground": look.ground,
        "ways": [list(map(list, way)) for way in look.ways],
        "names": cell_names_of(game),
    }
