"""Makes and serves sites and queries them in Node; prints the rules of random tables as sites have them."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from solver import Database
from solver.database.wording import entry_as_dict
from solver.errors import SolverError, error_as_dict
from solver.rules.notation import write_position
from tests.support.commandline import call
from tests.support.drawn_states import drawn_states
from tests.support.games.random_tables import Relabelled


class Files(SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def hosted(folder: Path, handler: type[SimpleHTTPRequestHandler] = Files) -> Iterator[str]:
    """The URL of a folder while it is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def made_site(path: Path, folder: Path) -> dict[str, Any]:
    """What a new site of a file says of itself."""
    assert call("site", path, "-o", folder).exit_code == 0
    about: dict[str, Any] = json.loads((folder / "site.json").read_text())
    return about


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a site, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def answer_of(db: Database, text: str) -> Any:
    """What `query --json` prints without an evaluation, or the code of a refusal."""
    try:
        actual = json.loads(json.dumps(entry_as_dict(db, db[text])))
    except SolverError as error:
        return error_as_dict(error)["error"]["code"]
    actual.pop("evaluation", None)
    return actual


def in_node(program: str, asked: object) -> str:
    """What a module prints in Node when it reads `asked` as JSON."""
    words = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(words, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


ASKING = """
import { readFile } from "node:fs/promises";
const refused = (error) => {
  if (!error.code) throw error;
  return error.code;
};
for (const [folder, texts] of JSON.parse(await readFile("/dev/stdin", "utf8"))) {
  const { Site } = await import(`${folder}/site.js`);
  const site = await Site.open((name) => readFile(`${folder}/${name}`));
  for (const text of texts) console.log(JSON.stringify(await site.METHOD(text).then(THEN).catch(refused)));
}
"""


def answers(
    asked: Mapping[Path, Sequence[str]], method: str = "answer", then: str = "(answer) => answer"
) -> list[list[Any]]:
    """For each folder, the result of a method of its site for each text, or the code of a refusal."""
    folders = [(str(folder), list(texts)) for folder, texts in asked.items()]
    program = ASKING.replace("METHOD", method).replace("THEN", then)
    lines = iter(in_node(program, folders).splitlines())
    return [[json.loads(next(lines)) for _ in texts] for _, texts in folders]


def assert_answered(db: Database, folder: Path, texts: Sequence[str]) -> dict[str, Any]:
    """Assert that a new site of a file answers some texts as the file does; return what it says of itself."""
    about = made_site(db.path, folder)
    assert answers({folder: texts}) == [[answer_of(db, text) for text in texts]]
    return about


def random_texts(db: Database, random: Random, number: int) -> list[str]:
    """`number` positions drawn uniformly from the states of a packed file, each under a random symmetry."""
    maps = [None, *db.folding.symmetries]
    states = [(random.choice(maps), state) for state in drawn_states(db, number, number).tolist()]
    return [write_position(db.game, turn.state(state) if turn else state) for turn, state in states]


def spoilt(text: str, random: Random) -> str:
    """A text in which two different marks have changed places; separators of rows stay."""
    marks = [place for place, letter in enumerate(text) if letter not in " /,"]
    one, other = random.sample(marks, 2)
    while text[one] == text[other]:
        one, other = random.sample(marks, 2)
    letters = [*text]
    letters[one], letters[other] = letters[other], letters[one]
    return "".join(letters)


def random_boards(db: Database, random: Random, number: int) -> list[str]:
    """Boards with as many x as o, or one more, without gaps below marks; some name the player to move."""
    rows, columns, texts = db.parameters["rows"], db.parameters["columns"], list[str]()
    for _ in range(number):
        stones = ["xo"[nth % 2] for nth in range(random.randrange(rows * columns + 1))]
        stacks = [""] * columns
        random.shuffle(stones)
        for stone in stones:
            column = random.choice([column for column in range(columns) if len(stacks[column]) < rows])
            stacks[column] += stone
        board = ["".join(stack.ljust(rows, ".")[row] for stack in stacks) for row in reversed(range(rows))]
        texts.append("/".join(board) + random.choice(["", "", " x", " o"]))
    return texts


def table_module(game: Relabelled) -> str:
    """What `printed_module` would print for a random table if its rules used only operators."""
    size, most, images = len(game.movers), game.most, [*game.images]
    tables = {
        "children": game.children,
        "movers": game.movers,
        "utilities": game.utilities,
        "images": [images[begin : begin + size] for begin in range(0, len(images), size)],
        "others": game.others,
    }
    listed = "".join(f"const {name} = {json.dumps(table)};\n" for name, table in tables.items())
    return f"""{listed}
const leads = (s, a) => children[Number(s) * {most} + a];
const moves = (s) => [...Array({most}).keys()].filter((a) => leads(s, a) >= 0);
export const is_terminal = (s) => BigInt(moves(s).length === 0);
export const to_move = (s) => BigInt(movers[s]);
export const utility = (s) => BigInt(utilities[s]);
export const actions = moves;
export {{ moves }};
export const ply = {f"(s) => s / {game.width}n" if game.tells else "null"};
export const result = (s, a) => BigInt(leads(s, a));
export const symmetries = images.map((image) => (s) => BigInt(image[s]));
export const exchanged = others.length ? (s) => BigInt(others[s]) : null;
"""
