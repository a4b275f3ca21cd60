"""A worker process: reads tasks of a proof from stdin and writes the findings of each to stdout.

    -->   path of the file, its series, rules files that may run            once
    -->   a task          <--   numbers of states checked, then Findings    for each task, until stdin ends

All messages are pickled. `solver.proof.packed.processes` starts it by
`python -m solver.proof.packed.worker`.
"""

import os
import pickle
import sys
from contextlib import closing, suppress
from typing import BinaryIO

from solver.database.packed.reader import PackedDatabase
from solver.proof.packed.tasks import Checker
from solver.rules.source import trust


def work(receive: BinaryIO, send: BinaryIO) -> None:
    """Do tasks until `receive` ends."""
    path, series, rules = pickle.load(receive)
    trust.allow(rules)

    def reply(message: object) -> None:
        pickle.dump(message, send)
        send.flush()

    with PackedDatabase(path, errors="replace") as db, closing(Checker(db, series, reply)) as checker:
        while True:
            try:
                task = pickle.load(receive)
            except EOFError:
                return
            reply(checker.done(task))


if __name__ == "__main__":
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # rules may print: that must not mix with the answers
    with suppress(BrokenPipeError):  # the process that waits for the answer is gone
        work(sys.stdin.buffer, answers)
