"""`perfectplay search`."""

import json
import time
from dataclasses import replace
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

import click

from solver.commands import completion
from solver.commands.arguments import EXPLORATION, split_position
from solver.commands.options import (
    chooses,
    command,
    names_game,
    names_side,
    number,
    reads_files,
    seeds,
    writes,
)
from solver.commands.output import bound_memory, say_written, target_of
from solver.database.wording import aligned, cell, plies, turn
from solver.errors import NotLegible, RepeatedState, TooLarge, UnknownFormat
from solver.game import AnyGame
from solver.rules.asking import mover_of
from solver.rules.evaluation import Evaluation, evaluated
from solver.rules.failures import rules_asked
from solver.rules.loading import load_game
from solver.rules.notation import read_start, write_action, write_position
from solver.search import SEARCHES, SearchResult, Settings, search as search_by_name
from solver.search.and_or.problem import plan_text
from solver.search.interface import Policy
from solver.search.minimax import minimax_within
from solver.search.recorder import UNRECORDED, SearchRecorder
from solver.system.files import write
from solver.system.plugins import drawing

MAX_SEARCHED = 600_000
"""The most nodes of a minimax search for a picture; tic-tac-toe has 549,946.

Of a larger tree, only the plies drawn are searched.
"""

FORMATS = ("svg", "png", "pdf", "gv", "dot", "html")
"""The suffixes of files for drawings of a search tree."""


def _refuse_ending(output: str) -> None:
    if Path(output).suffix.lower().removeprefix(".") not in FORMATS:
        formats = ", ".join(FORMATS)
        raise UnknownFormat(f"the tree of a search is drawn as {formats}: {output!r} should end so")


@command(
    'perfectplay search tictactoe "xo.ox...." --with and-or -o search.html',
    sections={
        "Which search": ("algorithm",),
        "AND-OR search": ("owner", "goal"),
        "Limits": ("depth", "playouts"),
        "Monte Carlo": ("exploration", "policy", "seed"),
        "What is written": ("output", "as_json"),
    },
)
@names_game("words", "[PARAM=VALUE]... [POSITION]")
@chooses("--with", SEARCHES, "Search algorithm.", "algorithm", required=True)
@names_side("owner", "and-or: owner of the plan; default: the player to move.")
@chooses("--goal", ["win", "draw"], "and-or: value to guarantee; default: the best possible.")
@number(
    "--depth",
    metavar=None,
    words="depth-limited: depth limit in plies; in a picture: plies drawn, all by default.",
    show_default=str(Settings.depth),
)
@number("--playouts", metavar=None, words="Playouts of a Monte Carlo search.", default=Settings.playouts)
@click.option(
    "--exploration",
    type=EXPLORATION,
    default=Settings.exploration,
    show_default="sqrt 2",
    help="ucb1, uct and uct-solver: exploration constant C.",
)
@click.option(
    "--policy",
    metavar="PLAYER",
    shell_complete=completion.players,
    help="Player for the moves of playouts; default: random.",
)
@seeds
@writes(
    "FILE",
    f"Also draw the search tree, to a file that ends in .{', .'.join(FORMATS)}.",
    check=_refuse_ending,
)
@reads_files
def search(
    game: str,
    words: tuple[str, ...],
    algorithm: str,
    owner: str | None,
    depth: int | None,
    policy: str | None,
    seed: int,
    output: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Choose a move by a search of the game tree.

    POSITION is a state of GAME as text (default: the start); quote it if it contains a space. The exit status
    is 1 if and-or or and-or-retry finds no plan.
    """
    path = target_of(output, "picture")
    parameters, position = split_position(words)
    rules = load_game(game, parameters)
    bound_memory()
    state = read_start(rules, position)
    player = None if owner is None else rules.player(owner)
    recorder = UNRECORDED if path is None else SearchRecorder(rules, algorithm, depth)
    settings = Settings(
        owner=player,
        depth=depth or Settings.depth,
        seed=seed,
        policy=None if policy is None else _policy(rules, position, policy, seed),
        recorder=recorder,
        **chosen,
    )
    began = time.perf_counter()
    if algorithm == "minimax" and path is not None:
        result, recorder = _recorded_minimax(rules, state, settings, depth)
    else:
        result = search_by_name(algorithm, rules, state, settings)
    shown = as_dict(rules, state, algorithm, result, time.perf_counter() - began) | evaluated(rules, state)
    if result.heuristic is not None and isfinite(result.heuristic):
        shown["heuristic"] = result.heuristic
    if result.arms:
        shown["moves"] = [
            {"move": write_action(rules, action), **arm._asdict()} for action, arm in result.arms.items()
        ]
    plan = plan_text(result.plan) if algorithm.startswith("and-or") else None
    if path is not None:
        trace = recorder.trace()
        with rules_asked(rules):
            drawn = drawing("search")(trace, path.suffix.lower().removeprefix("."))
        write(path, drawn.encode() if isinstance(drawn, str) else drawn)
        say_written(path, trace.counted)
    if ignored := _ignored(algorithm, drawn=path is not None):
        click.echo(f"{algorithm} does not read {' or '.join(ignored)}", err=True)
    if as_json:
        text = json.dumps(shown, ensure_ascii=False)  # the plan may be too deep for the json module
        click.echo(text if plan is None else f'{text[:-1]}, "plan": {plan}}}')
    else:
        click.echo(_as_text(shown, turn(rules, state), result, plan))
    if plan == "null":
        raise SystemExit(1)


def _ignored(algorithm: str, *, drawn: bool) -> list[str]:
    """The options on the command line that this search ignores."""
    reads = {"depth"} if drawn else set()
    reads.update(SEARCHES[algorithm].settings)
    reads.update(("owner", "goal") if algorithm.startswith("and-or") else ())
    reads.update(("policy", "seed") if "playouts" in reads else ())
    context = click.get_current_context()
    unread = {"owner", "goal", "depth", "playouts", "exploration", "policy", "seed"} - reads
    given = click.core.ParameterSource.COMMANDLINE
    return [
        option.opts[0]
        for option in context.command.params
        if option.name in unread and context.get_parameter_source(option.name) is given
    ]


def _recorded_minimax(
    game: AnyGame, state: Any, settings: Settings, depth: int | None
) -> tuple[SearchResult, SearchRecorder]:
    """Minimax for a picture: of the whole tree, or of its first plies if it is too large or infinite."""
    bounded = replace(settings, most_nodes=MAX_SEARCHED)
    try:
        return search_by_name("minimax", game, state, bounded), settings.recorder
    except (RepeatedState, TooLarge) as error:
        if depth is None:
            if isinstance(error, RepeatedState):
                raise
            words = f"a picture of more than {MAX_SEARCHED:,} nodes cannot be read"
            raise NotLegible(f"{words}: use --depth 2 or a later position") from error
        new_recorder = SearchRecorder(game, "minimax", depth)
        result = minimax_within(game, state, depth, new_recorder)
        click.echo(
            f"what lies deeper than {plies(depth)} is not searched: there are more than {MAX_SEARCHED:,} "
            "nodes, or play can return",
            err=True,
        )
        return result, new_recorder


def _policy(game: AnyGame, position: str | None, player: str, seed: int) -> Policy:
    """The player called `player` as the playout policy of both sides, with random choices from `seed`."""
    from solver.players import Truth, make_player
    from solver.players.match import Opponent, choose

    truth = click.get_current_context().with_resource(Truth(game, start=position))
    opponent, random = Opponent(player, make_player(player, truth)), Random(seed)
    return lambda state: choose(game, state, opponent, random)


def as_dict(
    game: AnyGame, state: Any, algorithm: str, result: SearchResult, seconds: float
) -> dict[str, Any]:
    """The result of a search as printed by `search --json`, without the plan."""
    with rules_asked(game):
        to_move = game.players[mover_of(game, state)]
    return {
        "algorithm": algorithm,
        "position": write_position(game, state),
        "to_move": to_move,
        "move": None if result.action is None else write_action(game, result.action),
        "value": result.value,
        "nodes": result.nodes,
        "playouts": result.playouts,
        "seconds": round(seconds, 6),
    }


def _as_text(shown: dict[str, Any], turn: str, result: SearchResult, plan: str | None) -> str:
    move = shown["move"] and str(shown["move"])  # a name, so no thousands separator in a number
    lines = {"position": f"{shown['position']}, {turn}", "move": move}
    lines |= {"value": shown["value"], "heuristic": result.heuristic}
    if (evaluation := shown.get("evaluation")) is not None:
        lines["evaluation"] = Evaluation(**evaluation)
    lines |= {"nodes": result.nodes, "playouts": result.playouts, "time": f"{shown['seconds']:.2f} s"}
    if plan is not None:
        lines["plan"] = "none" if plan == "null" else plan
    elif result.action is None:
        lines["move"] = "unknown" if result.value is None else "none: the game is over"
    texts = [f"{name:<12}{cell(value)}" for name, value in lines.items() if value is not None]
    rows = [[*map(cell, (arm | {"move": str(arm["move"])}).values())] for arm in shown.get("moves", ())]
    return "\n".join([*texts, *(["", *aligned([(*shown["moves"][0],), *rows])] if rows else [])])
