"""The program: the script `perfectplay`, or `python -m solver` for where that is not on the path."""

import signal
import sys


def run() -> None:
    """Run the program; Ctrl-C and SIGTERM end it in one line also while its modules are being loaded."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from solver.cli import main
    except KeyboardInterrupt:
        as_json = '{"error": {"code": "interrupted", "message": "interrupted"}}'
        print(as_json if "--json" in sys.argv else "Error: interrupted", file=sys.stderr)
        sys.exit(130)
    signal.signal(signal.SIGTERM, before)
    main()


if __name__ == "__main__":  # worker processes import this module, too
    run()
