"""A process that does parts of a proof: it is sent them on stdin, and sends what came of each to stdout.

    -->   the path of the file, its series, which rules files may run       once
    -->   a part          <--   numbers of states that are done with, then Checked
                                                  again and again, until stdin ends

All of it is pickled by `solver.proof.packed.processes`, which starts it as
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
    """Do what is sent until nothing more is."""
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
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what rules print is no answer
    with suppress(BrokenPipeError):  # nobody waits for the answer
        work(sys.stdin.buffer, answers)
