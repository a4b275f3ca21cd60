"""Plans and databases as HTML pages to play against: one file each, without server or network.

    rows.py           positions as short rows of JSON, with shared tables
    plan_page.py      the page of a plan
    database_page.py  the page of a database: whole, or live, with rows from a server or a site
    page.py           puts page.html, style.css, the scripts and the rows together; frame.html, base.css
                      and dark.css are shared by all pages

The scripts know no rules: the rows have all moves and the positions after them.
"""
