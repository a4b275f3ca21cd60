"""Analyses of solved games: statistics, differences, grades, the best response."""
