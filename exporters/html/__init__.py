"""Plans and databases as HTML pages to play against: one file each, without server or network.

    rows.py           every position as one short row, with tables that the rows share
    plan_page.py      the page of a plan               database_page.py   the page of a whole database
    page.py           page.html, style.css, the scripts and the rows put together

The scripts know no rules: the rows have all moves and the positions after them.
"""
