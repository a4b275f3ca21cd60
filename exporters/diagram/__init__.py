"""Plans as diagrams of Graphviz: a node for each position, with its board, and an arrow for each move.

scene.py        what is drawn: positions, moves     excerpt.py   what follows some replies
board_table.py  a board as an HTML-like label       sheet.py     rows of a ply, sheets of paper
legend.py       what looks and arrows mean          spoken.py    the SVG in words
dot.py          all of it as DOT text               image.py     SVG, PNG and PDF, by drawing.py
"""
