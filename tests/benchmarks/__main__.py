"""The tables of the documentation, measured: `python -m tests.benchmarks [TABLE ...] [--write]`.

Without names, it makes all tables except those that take hours. `--write` puts the tables into the pages,
between the comments that name them.
"""

import argparse
import re
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks import engines, growth, pages, proofs, queries, sites, sorting  # noqa: F401  they fill TABLES
from tests.benchmarks.measured import PROGRAM, TABLES, Bench, markdown, setting

DOCS = Path(__file__).parents[2] / "docs"

USUAL = [name for name, item in TABLES.items() if not item.hours]
HOURS = [name for name, item in TABLES.items() if item.hours and name != "versions"]


def put(name: str, text: str) -> None:
    """Put a text between the comments that name it, in the page that has them."""
    marked = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
    for page in DOCS.glob("*.md"):
        old = page.read_text("utf-8")
        new = re.sub(marked, lambda match: f"{match[1]}\n{text}\n\n{match[2]}", old, flags=re.DOTALL)
        if new != old:
            page.write_text(new, "utf-8")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--hours", action="store_true", help="the tables that take hours, too")
    parser.add_argument("--write", action="store_true", help="write the tables into the pages")
    parser.add_argument("--small", action="store_true", help="everything small, to see that it works")
    parser.add_argument("--folder", type=Path, help="where there is room; default: for temporary files")
    parser.add_argument("--program", default=PROGRAM, help="another perfectplay")
    parser.add_argument("--other", default="", help="the perfectplay that `versions` compares with")
    arguments = parser.parse_args()
    if unknown := set(arguments.tables) - set(TABLES):
        parser.error(f"there is no table {', '.join(unknown)}; there are {', '.join(TABLES)}")
    if arguments.write and (arguments.small or (arguments.tables and set(arguments.tables) & set(USUAL))):
        parser.error("--write is for a run of all tables, so that they are of one day")
    names = arguments.tables or USUAL + HOURS * arguments.hours
    print(setting())
    began = time.monotonic()
    with TemporaryDirectory(dir=arguments.folder) as folder:
        bench = Bench(Path(folder), arguments.program, arguments.other, small=arguments.small)
        bench.warm()
        for name in names:
            table = TABLES[name]
            print(f"\n{name}: {table.rows.__doc__}\n", flush=True)
            text = markdown(table.columns, table.rows(bench))
            print(text, flush=True)
            if arguments.write:
                put(name, text if not table.hours else f"{text}\n\n{setting()}")
        if arguments.write and set(USUAL) <= set(names):
            put("machine", setting())
        for picture in bench.folder.glob("*.svg") if arguments.write else ():
            shutil.copy(picture, DOCS)
    print(f"\nAll that took {(time.monotonic() - began) / 60:.0f} minutes.")


if __name__ == "__main__":
    main()
