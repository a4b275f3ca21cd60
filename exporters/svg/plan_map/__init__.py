"""The map of a plan: boards inside boards.

nested.py   the boards of a plan, nested          sheet.py    the geometry of a page of A3
drawing.py  boards inside boards as SVG           page.py     the page: heading, key and map
"""
