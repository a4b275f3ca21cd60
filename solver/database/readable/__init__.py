"""The readable layout: a row for each position and each move."""
