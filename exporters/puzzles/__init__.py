"""Puzzles to be solved: without their answers, or with these apart.

picture.py    one puzzle as SVG      sheet.py    sheets of A4 as PDF, the answers on the last page
page.py       a page to solve them on by clicks: puzzles.html, puzzles.css and solve.js
"""
