"""Figures of a game of which every position is held in memory: all but play that returns are exact."""
