"""The engine for any game at speed: states are numbers, moves are flat arrays of numbers; loops included.

All is in memory, and the rows are those of the graph engine, the definition of what is right, byte for byte.
"""
