"""Plans and databases as HTML pages to play against: one file each, without server or network.

    rows.py           every position as one short row, with tables that the rows share
    plan_page.py      the page of a plan
    database_page.py  the page of a database, whole, or live: rows come from a server or a site
    page.py           page.html, style.css, the scripts and the rows put together in frame.html, which is
                      that of all pages, as base.css is their style; dark.css is for those that can be dark

The scripts know no rules: the rows have all moves and the positions after them.
"""
