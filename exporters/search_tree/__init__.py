"""Game graphs and the trees of searches as pictures, and as pages that go through a search step by step.

scene.py     what is drawn, and whether it can be read     captions.py  what was found in a node
dot.py       the tree as DOT text                          legend.py    what numbers, lines and colours mean
picture.py   the tree in any format                        steps.py     what the search did, step by step
page.py      page.html, page.css, steps.js put together    strips.py    a wide tree cut into strips
game_graph.py  the first states of a game
"""
