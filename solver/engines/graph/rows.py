"""The labelled graph as the rows of a readable database."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.database.header import MAX_ROW_BYTES
from solver.database.metadata import Metadata
from solver.database.readable.rows import PositionRow
from solver.database.readable.writer import Row, write_readable
from solver.database.schema import FORMAT
from solver.engines.graph.reachable import Graph, is_layered
from solver.engines.graph.retrograde import best_actions, label_before
from solver.engines.successors import STATES_PER_REPORT
from solver.errors import BrokenRules, UnreadablePosition
from solver.game import AnyGame, outcome_of
from solver.rules.notation import read_position, write_action, write_position
from solver.system.progress import Progress, no_progress


def build(game: AnyGame, graph: Graph, path: Path, *, progress: Progress = no_progress) -> None:
    """Write the labelled `graph` to a new file at `path`, best one that `solver.system.files` names.

    Raises `BrokenRules` if the texts of positions or moves are ambiguous or too long, and `UnwritableFile`.
    """
    _refuse_unreadable(game, graph.graph["start"])
    names = {action: write_action(game, action) for action in _actions(graph)}
    numbered = all(isinstance(name, int) for name in names.values())
    if not numbered and any(isinstance(name, int) for name in names.values()):
        raise BrokenRules(f"the rules of {type(game).__name__} name some actions by numbers, some by texts")
    ids = {state: number for number, state in enumerate(graph, start=1)}
    try:
        write_readable(
            path,
            _positions(game, graph, ids, names, progress),
            _moves(graph, ids, names, progress),
            _about(game, graph),
            move_type="integer" if numbered else "text",
        )
    except sqlite3.DataError:
        raise BrokenRules(
            f"the rules of {type(game).__name__} write texts of more than "
            f"{MAX_ROW_BYTES[FORMAT] >> 20} MiB for a "
            "state, an action or their parameters: shorter ones would do"
        ) from None
    except sqlite3.IntegrityError:
        raise BrokenRules(_same_position(game, graph)) from None


def _about(game: AnyGame, graph: Graph) -> dict[str, str]:
    values = [value for _, value in graph.nodes.data("value")]
    return Metadata(
        game=game,
        layout=FORMAT,
        start=graph.graph["start"],
        starts=graph.graph["starts"],
        endless=graph.graph["endless"],
        folded=graph.graph["folded"],
        values=(min(values), max(values)),
        states=len(graph),
        terminal=sum(1 for _, utility in graph.nodes.data("utility") if utility is not None),
        moves=sum(len(moves) for _, moves in graph.nodes.data("moves", default=())),
    ).rows()


def _refuse_unreadable(game: AnyGame, start: Any) -> None:
    """Raise `BrokenRules` if the rules cannot read what they write: no position could be queried then."""
    text = write_position(game, start)
    try:
        again = write_position(game, read_position(game, text))
    except UnreadablePosition as error:
        raise BrokenRules(
            f"the rules of {type(game).__name__} cannot read their own text: {error}"
        ) from error
    if again != text:
        raise BrokenRules(f"the rules of {type(game).__name__} write {text!r} but read it as {again!r}")


def _same_position(game: AnyGame, graph: Graph) -> str:
    """A message about two states with the same text."""
    first: dict[str, Any] = {}
    for state in graph:
        other = first.setdefault(write_position(game, state), state)
        if other != state:
            text = write_position(game, state)
            return f"the position {text!r} stands for two states, {other!r} and {state!r}"
    return "a row does not fit into the database"


def _actions(graph: Graph) -> Iterator[Any]:
    for _, moves in graph.nodes.data("moves", default=()):
        for action, _ in moves:
            yield action


def _positions(
    game: AnyGame, graph: Graph, ids: dict[Any, int], names: dict[Any, str | int], progress: Progress
) -> Iterator[Row]:
    layered = is_layered(graph)
    for state, node in graph.nodes.data():
        best = best_actions(graph, state)
        yield PositionRow(
            id=ids[state],
            position=write_position(game, state),
            to_move=game.players[node["to_move"]],
            ply=node["depth"] if layered else None,
            value=node["value"],
            outcome=outcome_of(node["value"], node["to_move"]),
            remoteness=node["remoteness"],
            best_move=names[best[0]] if best else None,
            is_terminal=int("utility" in node),
        )
        if ids[state] % STATES_PER_REPORT == 0:
            progress("writing positions", ids[state], len(graph))


def _moves(
    graph: Graph, ids: dict[Any, int], names: dict[Any, str | int], progress: Progress
) -> Iterator[Row]:
    for state, node in graph.nodes.data():
        label = node["value"], node["remoteness"]
        if len({names[action] for action, _ in node.get("moves", ())}) < len(node.get("moves", ())):
            raise BrokenRules(f"two actions have the same name in the state {state!r}")
        for action, child in node.get("moves", ()):
            offer = label_before(graph, graph.nodes[child])
            outcome = outcome_of(graph.nodes[child]["value"], node["to_move"])
            yield ids[state], names[action], ids[child], outcome, offer[1], int(offer == label)
        if ids[state] % STATES_PER_REPORT == 0:
            progress("writing moves", ids[state], len(graph))
