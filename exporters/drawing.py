"""A program of its own: DOT text on standard input, a picture in a format, its argument, on standard output.

It runs apart from its caller because Graphviz takes fonts from the environment of its process and reports
what went wrong on standard error.
"""

import sys

import pygraphviz

RESOLUTION = 120
"""Dots per inch of a PNG."""


def main(picture_format: str) -> None:
    """Lay out and draw the graph on standard input."""
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode("utf-8"))
    if picture_format == "png":
        graph.graph_attr["dpi"] = RESOLUTION
    sys.stdout.buffer.write(graph.draw(format=picture_format, prog="dot"))


if __name__ == "__main__":
    main(sys.argv[1])
