"""The worked examples of data/searches.json, and the labels to compare searches with."""

import json
from pathlib import Path
from typing import Any

from solver.engines.graph_states import Graph, explore, label
from solver.game import AnyGame

DATA = Path(__file__).parents[2] / "data" / "searches.json"

EXAMPLES: dict[str, Any] = json.loads(DATA.read_text("utf-8"))


def labelled(game: AnyGame, *starts: Any, endless: str = "draw") -> Graph:
    """The labelled graph of the states reachable from the starts, by default from the initial state."""
    graph = explore(game, starts or None)
    label(graph, endless)
    return graph
