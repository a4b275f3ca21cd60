"""One HTML file in which a person plays against a plan or a database: no server, no network.

    rows.py         every position as one short row, with tables of what the rows share
    of_plan.py      the rows of a plan                 of_database.py   the rows of a whole database
    page.py         page.html, style.css, the scripts and the rows put together

The scripts know no rules: what can be played, and what it leads to, is in the rows.
"""
