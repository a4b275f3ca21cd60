"""Tells whether a file is the database that a solve would write: then there is nothing to solve."""

import json
from pathlib import Path

from solver.database import Database, open_database
from solver.database.header import layout_of
from solver.database.schema import FORMAT, PACKED_FORMAT
from solver.engines.conversion import LAYOUTS
from solver.engines.options import SolveOptions
from solver.errors import SolverError
from solver.game import AnyGame
from solver.rules.loading import game_name, game_parameters, game_place
from solver.rules.notation import read_position, write_position
from solver.rules.source.fingerprint import UNKNOWN, fingerprint


def is_current(game: AnyGame, path: Path, options: SolveOptions) -> bool:
    """Whether the file at `path` is the database of `game` that these options ask for.

    Its rules, parameters, start, endless play, folding, layout and format count, not the engine, memory or
    cluster that made it, as these change no byte. Rules without a source are never the same.
    """
    if not path.is_file():
        return False
    try:
        with open_database(path) as db:
            return _has_same_rules(db, game) and _has_same_options(db, game, options)
    except SolverError:
        return False


def _has_same_rules(db: Database, game: AnyGame) -> bool:
    made, now = db.about.get("play", db.about["rules"]), fingerprint(game_place(game))
    return (
        (db.game_name, db.about["parameters"]) == (game_name(game), json.dumps(game_parameters(game)))
        and made != UNKNOWN
        and now.knows(made)
    )


def _has_same_options(db: Database, game: AnyGame, options: SolveOptions) -> bool:
    db.game = game  # the rules are the same: they need no search, and no trust
    db.checked_game  # noqa: B018 - raises where `about` is damaged
    if options.start is None:
        same_start = not db.has_own_start
    else:
        start = write_position(game, read_position(game, options.start))
        same_start = (db.starts, db.start) == (1, start)
    return (
        same_start
        and (db.endless, db.folded) == (options.endless, options.fold)
        and isinstance(db, LAYOUTS.get(options.layout, Database))
        and layout_of(db.path) in (FORMAT, PACKED_FORMAT)
    )
