"""Certificates: sets of states that prove what a player can get, checked by a page of code.

    selection.py     which moves the owner of a certificate chooses, so that it is small
    certificate.py   a certificate, and its file
    check.py         whether one proves what it says, or a strong solution is right, by the rules alone
    strong.py        the values of all states, a strong solution, and its file
    moves.py         rules asked about many states at once
    mark.py          what plans, pages and reports say of a certificate
    rules_code.py    packed rules printed in C, Python and JavaScript
    coq_text.py      rules and certificates as a file that Coq checks

`exporters/checkers/` has programs that check certificates and share nothing with these modules.
"""

SIDES = ("first", "second")
"""The players whose gains two certificates prove: the endings of their files."""
