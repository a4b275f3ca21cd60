"""The worked examples of data/searches.json, and the labels to hold the searches against."""

import json
from pathlib import Path
from typing import Any

from solver.engines.graph_states import Graph, explore, label
from solver.game import AnyGame

DATA = Path(__file__).parents[2] / "data" / "searches.json"

EXAMPLES: dict[str, Any] = json.loads(DATA.read_text("utf-8"))


def labelled(game: AnyGame, *starts: Any, endless: str = "draw") -> Graph:
    """The labelled graph of what play from the starts, or from the initial state, can reach."""
    graph = explore(game, starts or None)
    label(graph, endless)
    return graph
