"""One HTML file in which a person plays against a plan or a database: no server, no network.

    rows.py           every position as one short row, with tables that the rows share
    plan_page.py      the page of a plan               database_page.py   the page of a whole database
    page.py           page.html, style.css, the scripts and the rows put together

The scripts know no rules: what can be played, and what it leads to, is in the rows.
"""
