"""Pictures that are written as SVG by hand, without Graphviz: the map of a plan, positions, rows of states.

nesting.py        a plan as boards inside boards        value_picture.py  a position, what each move is worth
nested_boards.py  their drawing                         labels.py, move_list.py  the worth of moves
nested_map.py     the page; map_sheet.py its geometry   rows.py           states in rows, joined by moves
cells.py, marks.py  boards                              lettering.py      text of any length in its room
shown.py          what a notebook shows of plans and graphs
"""
