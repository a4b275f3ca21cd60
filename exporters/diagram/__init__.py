"""Diagrams of Graphviz: a node for each position, with its board, and an arrow for each move; those of plans.

excerpt.py        the part of a plan to be drawn        scene.py        how its positions and moves look
dot.py            the diagram of a plan as DOT text     image.py        it as SVG, PNG or PDF, and in words
board_label.py    a board as an HTML-like label         lettering.py    headings, legends and names
page_layout.py    rows of a ply, sizes of paper         rendering.py    DOT text as SVG, PNG or PDF
render_process.py the process that runs Graphviz
"""
