"""Analyses of solved games: statistics, reports, differences, grades, annotations, puzzles, certificates."""
