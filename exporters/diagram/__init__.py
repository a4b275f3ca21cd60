"""Graphviz diagrams, in particular of plans: a node with a board per position, and an arrow per move.

excerpt.py        the part of a plan to draw            scene.py        the looks of its positions and moves
dot.py            the diagram of a plan as DOT text     image.py        the same as SVG, PNG, PDF or text
board_label.py    a board as an HTML-like label         lettering.py    headings, legends and names
page_layout.py    rows of plies, sizes of paper         rendering.py    DOT text as SVG, PNG or PDF
render_process.py the process that runs Graphviz
"""
