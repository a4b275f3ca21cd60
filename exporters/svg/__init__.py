"""Pictures written as SVG without Graphviz: positions, maps of plans, plots.

position.py     a position with the value of each move       accuracy.py   grades of players by ply
value_board.py  its board with labels, arrows, coordinates   plot.py       axes, curves and legends of plots
moves.py        labels, arrows and lists of moves            text.py       text fitted to its room
board.py        marks and lines of a board                   rendering.py  SVG as PNG and PDF
plan_map/       a plan as boards inside boards
"""
