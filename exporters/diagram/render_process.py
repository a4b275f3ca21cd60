"""A program of its own: DOT text on standard input, a picture on standard output.

Its arguments are the format of the picture and its largest width and height in inches, "" for any.

It runs apart from its caller because Graphviz takes fonts from the environment of its process and reports
what went wrong on standard error.
"""

import sys

import pygraphviz

RESOLUTION = 120
"""Dots per inch of a PNG."""


def main(picture_format: str, largest: str) -> None:
    """Lay out and draw the graph on standard input."""
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode("utf-8"))
    if largest:
        graph.graph_attr["size"] = largest
    if picture_format == "png":
        graph.graph_attr["dpi"] = RESOLUTION
    sys.stdout.buffer.write(graph.draw(format=picture_format, prog="dot"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
