"""Game graphs as pictures: a node for each of the first states, a line for each move."""

import xml.etree.ElementTree as ET
from itertools import accumulate

import networkx as nx

import solver
from exporters.search_tree import game_graph
from exporters.search_tree.scene import FEW_NODES
from solver.engines.graph_states import explore
from tests.exporters.support.rendered_text import SVG
from tests.exporters.support.small_plans import Handmade
from tests.support.games.hostile_texts import TEXTS


def parts(svg: str, kind: str) -> list[ET.Element]:
    """The nodes or the edges of a picture."""
    return [item for item in ET.fromstring(svg).iter(f"{SVG}g") if item.get("class") == kind]


def dashed(svg: str) -> list[ET.Element]:
    return [path for path in ET.fromstring(svg).iter(f"{SVG}path") if path.get("stroke-dasharray")]


def test_all_states_and_moves_of_a_looping_game_are_drawn() -> None:
    game = solver.load_game("ponghauki")
    states = explore(game)
    plies = nx.single_source_shortest_path_length(nx.DiGraph(states), game.initial)
    back = [(state, child) for state, child in states.edges if plies[child] <= plies[state]]
    svg = game_graph.render(states)
    assert [part.findtext(f"{SVG}title") for part in parts(svg, "node")] == [
        f"{game.position(state)}: {words}"
        for state in states
        for words in [
            f"{game.players[1 - game.to_move(state)]} wins"
            if game.is_terminal(state)
            else f"{game.players[game.to_move(state)]} to move"
        ]
    ]
    assert len(parts(svg, "edge")) == len(states.edges)
    assert len(dashed(svg)) == len(back) > 0
    assert "dashed: to no later row" in svg


def test_large_game_is_drawn_in_whole_rows() -> None:
    game = solver.load_game("connect", {"rows": 3, "columns": 3, "k": 3})
    states = explore(game)
    rows = accumulate(map(len, nx.bfs_layers(nx.DiGraph(states), game.initial)))
    svg = game_graph.render(states)
    assert len(parts(svg, "node")) == max(count for count in rows if count <= FEW_NODES) > 1
    assert "dashed" not in svg


def test_hostile_game_texts_are_escaped() -> None:
    rules = {"root": (1, {f"{text} move": text for text in TEXTS})} | dict.fromkeys(TEXTS, 1)
    svg = game_graph.render(explore(Handmade(rules, {"root": [['"', "</TD>"], ["", "\u202e"]]})))
    assert len(parts(svg, "node")) == len(TEXTS) + 1
    assert not any(char in svg for char in "\u202e\x00\x1b")
