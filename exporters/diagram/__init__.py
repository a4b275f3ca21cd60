"""Plans as diagrams of Graphviz: a node for each position, with its board, and an arrow for each move.

excerpt.py        the part of a plan to be drawn        scene.py           how its positions and moves look
board_label.py    a board as an HTML-like label         page_layout.py     rows of a ply, sizes of paper
dot.py            the diagram as DOT text               description.py     the diagram in words
image.py          the diagram as SVG, PNG or PDF        render_process.py  the process that runs Graphviz
pdf_title.py      the title of a PDF
"""
