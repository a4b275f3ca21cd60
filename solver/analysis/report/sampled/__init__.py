"""Figures of a large packed file, by a sample of its positions and by games that are played."""
