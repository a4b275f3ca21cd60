"""The fast engine for any game, loops included: states are numbers, moves are flat arrays of numbers.

All data are in memory. The rows are, byte for byte, those of the graph engine, the reference.
"""
