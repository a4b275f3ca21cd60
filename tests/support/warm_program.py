"""A process that has already imported the program, for `run` in `commandline.py`.

It answers requests, each in a fork of itself. A request is a Python program, arguments, a folder and an
environment as JSON, with open files for standard input, output and error.
"""

import gc
import json
import os
import signal
import socket
import sys
import warnings
from importlib import import_module

from solver.system.plugins import entries, loaded

IMPORTED_LATE = (
    "solver.database.interface",
    "solver.engines.graph_solve",
    "solver.engines.solve",
    "solver.plans.formats",
    "solver.proof.verify",
)
"""Modules that commands import when they run, besides their own."""


def requested(requests: socket.socket) -> str:
    """Answer each request with the exit status of its fork; in the fork, return the program to run."""
    while True:
        text, files, _, _ = socket.recv_fds(requests, 2**20, 3)
        if not text:
            os._exit(0)  # the client has gone
        with warnings.catch_warnings(action="ignore"):  # about forking with threads: NumPy's are idle
            process = os.fork()
        if process == 0:
            break
        for file in files:
            os.close(file)
        requests.sendall(str(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])).encode())
    requests.close()
    signal.alarm(60)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    program, sys.argv[1:], folder, environment = json.loads(text)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    return str(program)


if __name__ == "__main__":
    for name in IMPORTED_LATE:
        import_module(name)
    for entry in entries("commands").values():
        loaded(entry)
    gc.freeze()  # so that forks do not traverse all these objects
    try:
        exec(requested(socket.socket(fileno=int(sys.argv[1]))))
    except SystemExit as ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(ended.code or 0))  # without tearing down all modules
