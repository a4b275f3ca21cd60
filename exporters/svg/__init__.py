"""Pictures that are written as SVG by hand, without Graphviz: positions, maps of plans, plots of grades.

position.py       a position with the value of each move       accuracy.py    grades of players by ply
value_board.py    its board with labels, arrows, coordinates   text.py        text of any length in its room
outcome_label.py  the value of a move as a coloured label      rendering.py   SVG as PNG and PDF
arrow.py          the move from a cell to another              plan_map/      a plan as boards inside boards
move_list.py      moves beside a board, and their legend       board.py       marks and lines of a board
"""
