"""`perfectplay compare`."""

import json
from contextlib import ExitStack
from typing import Any

import click

from solver.commands.arguments import EXPLORATION, FILE, split_position
from solver.commands.options import command, names_game, number, reads_files
from solver.commands.output import bound_memory
from solver.commands.search import as_dict
from solver.database import open_database
from solver.database.wording import cell, turn
from solver.rules.loading import load_game
from solver.rules.notation import read_start, write_position
from solver.search import Settings

COLUMNS = "{:<8}{:>8}  {:<17}{:<7}{:>10}{:>10}{:>10}"


@command(
    'perfectplay compare tictactoe "xo.ox...."',
    sections={"Each may be given more than once": ("depth", "playouts", "exploration")},
)
@names_game("words", "[PARAM=VALUE]... [POSITION]")
@click.option(
    "--database",
    type=FILE,
    metavar="FILE",
    help="Database of the solved game, for the best moves.",
)
@number("--nodes", default=1_000_000, words="Node limit of each search.")
@number("--depth", metavar=None, words="depth-limited: depth limit in plies.", multiple=True)
@number("--playouts", metavar=None, words="Playouts of the Monte Carlo searches.", multiple=True)
@click.option(
    "--exploration",
    type=EXPLORATION,
    multiple=True,
    help="ucb1, uct and uct-solver: exploration constant C.",
)
@reads_files
def compare(
    game: str,
    words: tuple[str, ...],
    database: str | None,
    nodes: int,
    as_json: bool,
    **choices: tuple[Any, ...],
) -> None:
    """Compare all searches on a position: move, value, nodes, time.

    POSITION is a state of GAME as text (default: the start). If a database is given, or the game is small
    enough to be solved first, the table shows which moves are best.
    """
    from solver.analysis.search_comparison import check_game, compared, runs_of
    from solver.players.oracle import Truth

    parameters, position = split_position(words)
    rules = load_game(game, parameters)
    bound_memory()
    state = read_start(rules, position)
    with ExitStack() as stack:
        if database is None:
            truth = stack.enter_context(Truth(rules, start=position))
        else:
            db = stack.enter_context(open_database(database))
            check_game(db, rules)
            truth = Truth(rules, db)
        runs = list(runs_of(Settings(most_nodes=nodes, endless=truth.endless), choices))
        rows = compared(rules, state, runs, truth)
        if as_json:  # the keys of `search --json`, and four more
            shown = [
                {
                    **as_dict(rules, state, row.run.algorithm, row.result, row.seconds),
                    "settings": row.run.chosen,
                    "best": row.best,
                    "keeps_value": row.keeps_value,
                    "note": row.note,
                }
                for row in rows
            ]
            click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
            return
        click.echo(f"{write_position(rules, state)}, {turn(rules, state)}")
        heads = ("algorithm", "move", "value", "keeps the value", "fastest", "nodes", "playouts", "seconds")
        width = max(len(f"{run} ") for run in runs)
        click.echo(f"{heads[0]:<{width}}{COLUMNS.format(*heads[1:])}")
        refused = dict[str, list[str]]()
        for row in rows:
            if row.note is not None:
                refused.setdefault(row.note, []).append(str(row.run))
                continue
            result = row.result
            move = row.move and str(row.move)
            values = (move, result.value, row.keeps_value, row.best, result.nodes, result.playouts)
            cells = COLUMNS.format(*(cell(value, 2) for value in values), f"{row.seconds:.3f}")
            click.echo(f"{row.run!s:<{width}}{cells}")
        for reason, names in refused.items():
            click.echo(f"{', '.join(names)}: {reason}")
