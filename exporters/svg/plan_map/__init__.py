"""The map of a plan: boards inside boards.

nested.py   the boards of a plan, nested          page.py     the page: heading, key and map
drawing.py  boards inside boards on a sheet of A3, as SVG
"""
