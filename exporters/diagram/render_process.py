"""The process that runs Graphviz: DOT text on standard input, a picture on standard output.

The arguments are the format of the picture and its largest "width,height" in inches, "" for any. Graphviz
takes its fonts from the environment and reports errors on standard error, hence a process of its own.
"""

import sys

import pygraphviz

RESOLUTION = 120
"""Dots per inch of a PNG."""


def main(picture_format: str, largest: str) -> None:
    """Draw the graph on standard input."""
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode("utf-8"))
    if largest:
        graph.graph_attr["size"] = largest
    if picture_format == "png":
        graph.graph_attr["dpi"] = RESOLUTION
    sys.stdout.buffer.write(graph.draw(format=picture_format, prog="dot"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
