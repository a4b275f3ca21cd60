"""The program `perfectplay` as `python -m solver`, for where its script is not on the path."""

from solver.cli import main

if __name__ == "__main__":  # worker processes import this module, too
    main()
