"""The worked examples of data/searches.json, searches with their traces, and labels to compare them with."""

import json
from typing import Any

from solver.engines.graph_states import Graph, explore, label
from solver.game import AnyGame
from solver.search import SearchResult, Settings, search
from solver.search.recorder import SearchRecorder
from solver.search.trace import SearchTrace
from tests.support.published import DATA

EXAMPLES: dict[str, Any] = json.loads((DATA / "searches.json").read_text("utf-8"))


def traced(
    name: str, game: AnyGame, state: Any, depth: int | None = None, **settings: Any
) -> tuple[SearchResult, SearchTrace]:
    """The result of a search and its trace, down to a depth."""
    recorder = SearchRecorder(game, name, depth)
    return search(name, game, state, Settings(recorder=recorder, **settings)), recorder.trace()


def labelled(game: AnyGame, *starts: Any, endless: str = "draw") -> Graph:
    """The labelled graph of the states reachable from the starts, by default from the initial state."""
    graph = explore(game, starts or None)
    label(graph, endless)
    return graph
