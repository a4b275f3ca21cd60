"""What the document of a page says of its game: the players, how play is valued, and the look of boards."""

from typing import Any

from solver.database import Database
from solver.game import AnyGame
from solver.rules.asking import cell_names_of, look_of


def about_database(db: Database, *, roots: int, source: str | None = None, **more: Any) -> dict[str, Any]:
    """What a page says of a database, of whose positions the first `roots` begin play."""
    about = about_game("database", db.game, None, scored=db.scored, roots=roots, source=source, **more)
    return about if db.endless == "draw" else {**about, "endless": db.endless}


def about_game(
    kind: str,
    game: AnyGame,
    owner: int | None,
    *,
    scored: bool,
    roots: int,
    source: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """What a page of a `kind`, `plan` or `database`, says of its game, with `more` members.

    Among these are the owner and the glyph of each mark that has one, the ground, and the names of cells.
    """
    look = look_of(game)
    return {
        "kind": kind,
        "players": game.players,
        "owner": owner,
        "scored": scored,
        "roots": roots,
        "source": source,
        **more,
        "sides": {**{name: side for side, name in enumerate(game.players)}, **look.owners},
        "glyphs": dict(look.glyphs),
        "ground": look.ground,
        "ways": [list(map(list, way)) for way in look.ways],
        "names": cell_names_of(game),
    }
