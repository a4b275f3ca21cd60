"""Game graphs and search trees as pictures, and as pages that go through a search step by step.

scene.py     the content of a picture, and its legibility   captions.py    the findings in nodes
dot.py       the tree as DOT text, with its legend          steps.py       the search step by step
picture.py   the tree in any format, including a page       plan_tree.py   a plan drawn as a search tree
strips.py    a wide tree cut into strips                    game_graph.py  the first states of a game
"""
