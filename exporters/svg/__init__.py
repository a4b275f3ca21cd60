"""Pictures that are written as SVG by hand, without Graphviz: positions, maps of plans, plots of grades.

position.py       a position with the value of each move       accuracy.py    grades of players by ply
outcome_label.py  the value of a move as a coloured label      state_rows.py  states in rows, joined by moves
move_list.py      moves beside a board, and their legend       notebook.py    plans and graphs in notebooks
board.py          marks and lines of a board                   text.py        text of any length in its room
plan_map/         a plan as boards inside boards
"""
