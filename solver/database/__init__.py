"""One solved game as one file: readable or packed, with the same answers."""

from solver.database.interface import Database, open_database

__all__ = ["Database", "open_database"]
