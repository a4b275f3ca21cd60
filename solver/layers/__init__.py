"""The layers engine: the labels of a packed game, one layer of states after the other, in sorted arrays."""
