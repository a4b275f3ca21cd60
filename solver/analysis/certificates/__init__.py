"""Certificates: sets of states that prove the least that a player can get, for checkers of one page of code.

    selection.py     the choice of the owner's moves, so that a certificate is small
    certificate.py   a certificate, and its file
    check.py         the check of certificates and strong solutions by the rules alone
    strong.py        a strong solution, the values of all states, and its file
    moves.py         the moves in many states at once
    mark.py          the lines on a certificate in plans, pages and reports
    rules_code.py    packed rules printed in C, Python and JavaScript
    coq_text.py      rules and certificates as a file that Coq checks

`exporters/checkers/` has programs that check certificates and share nothing with these modules.
"""

SIDES = ("first", "second")
"""The players whose gains the two certificates of a value prove, and the suffixes of their files."""
