"""Game graphs and the trees of searches as pictures, and as pages that go through a search step by step.

scene.py     what is drawn, and whether it can be read      captions.py    what was found in a node
dot.py       the tree as DOT text                           legend.py      what numbers, lines, colours mean
picture.py   the tree in any format, also as a page         steps.py       what the search did, step by step
strips.py    a wide tree cut into strips                    plan_tree.py   a plan drawn as such a tree
                                                            game_graph.py  the first states of a game
"""
