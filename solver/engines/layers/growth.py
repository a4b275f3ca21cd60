"""Estimate of the number of all states while layers are found, from the growth of the layers seen so far.

The ratio of each layer to the one before falls steadily; in four in a row on four rows of four:

    layer    ...   400400  895950  1433520  1962576  1962576  1543080  ...
    ratio    ...      2.5    2.24      1.6     1.37        1     0.79  ...
"""

from collections.abc import Sequence

import numpy as np

from solver.packed import STATE_BITS

RATIOS = 8
"""The last ratios through which a line is laid: an even number, as they alternate with the player."""

HIGHEST_RATIO = 2
"""The ratio below which they fall by about as much from layer to layer; before, they fall ever less."""

MOST_LAYERS = 1000
"""Layers after which an extrapolation is given up."""


def expected_states(layers: Sequence[int]) -> int | None:
    """The number of states in the layers found, of these sizes, and in those to come; None if it is unknown.

    A straight line is laid through the last `RATIOS` ratios by least squares and continued: layers grow while
    it is above 1, then shrink, and end where it comes to 0. Nothing is known before there are as many ratios,
    while the line is not yet below `HIGHEST_RATIO`, and where it does not fall.
    """
    if len(layers) <= RATIOS or min(layers) == 0:
        return None
    sizes = np.array(layers, np.float64)
    slope, first = np.polyfit(np.arange(RATIOS), (sizes[1:] / sizes[:-1])[-RATIOS:], 1)
    ratios = first + slope * np.arange(RATIOS, RATIOS + MOST_LAYERS)
    if slope >= 0 or ratios[0] >= HIGHEST_RATIO or ratios[-1] > 0:
        return None
    growth = np.cumsum(np.log(ratios[ratios > 0]))
    if np.log(sizes[-1]) + growth.max(initial=0) >= STATE_BITS * np.log(2):
        return None
    return sum(layers) + round(float(sizes[-1] * np.exp(growth).sum()))
