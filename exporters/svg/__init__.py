"""Pictures that are written as SVG by hand, without Graphviz: positions, maps of plans, plots of grades.

position.py       a position with the value of each move       accuracy.py    grades of players by ply
value_board.py    its board with labels, arrows, coordinates   state_rows.py  states in rows, joined by moves
outcome_label.py  the value of a move as a coloured label      notebook.py    plans and graphs in notebooks
arrow.py          the move from a cell to another              text.py        text of any length in its room
move_list.py      moves beside a board, and their legend       rendering.py   SVG as PNG and PDF
board.py          marks and lines of a board                   plan_map/      a plan as boards inside boards
"""
