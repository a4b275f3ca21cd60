"""The table `about` of either layout: the game, how it was solved, and counts, as rows of key and text.

`Metadata` makes the rows of a new file. `StoredMetadata` reads those of a file that may be a stranger's: a
value is checked when it is used, and the checksum before any answer depends on the table.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from solver.database.connections import DatabaseFile
from solver.database.header import crc32_of
from solver.errors import UnfinishedFile
from solver.game import ENDLESS
from solver.rules.folding import FOLDINGS, Folding
from solver.rules.loading import game_parameters
from solver.rules.named import as_named, without_folder
from solver.rules.notation import INTEGERS, write_position
from solver.system.plugins import release
from solver.system.strict_json import json_of

REQUIRED_KEYS = (
    "game",
    "rules",
    "parameters",
    "start",
    "starts",
    "endless",
    "folded",
    "values",
    "states",
    "terminal",
    "moves",
    "sha256",
)
"""The keys without which a file cannot be used."""

SEALS = ("crc32", "sha256")
"""The keys that the CRC-32 of the table leaves out."""

MAX_ROWS = 64
"""The most rows of `about` that are read; no layout has as many."""

NUMBER = re.compile("0|[1-9][0-9]{0,17}")
"""A number in the table: less than 10**18."""


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """The facts about a solved game that the rows of `about` state."""

    folding: Folding
    """The rules, and the classes of symmetric states."""
    layout: int
    start: Any
    """The first state in which play may begin."""
    starts: int
    """The number of states in which play may begin."""
    endless: str
    """The winner of play that never ends: `draw`, `first` or `second`."""
    values: tuple[int, int]
    """The least and the greatest minimax value."""
    states: int
    terminal: int
    moves: int

    def rows(self) -> dict[str, str]:
        """The rows, by key, without checksums and the digest."""
        game = self.folding.game
        return {
            "format": f"perfectplay {self.layout}",
            "program": f"perfectplay {release()}",
            **as_named(game),
            "parameters": json.dumps(game_parameters(game)),
            "start": write_position(game, self.start),
            "starts": str(self.starts),
            "endless": self.endless,
            "folded": FOLDINGS[self.folding.degree],
            "values": json.dumps(list(self.values)),
            "states": str(self.states),
            "terminal": str(self.terminal),
            "moves": str(self.moves),
        }


def checksum_of(rows: Mapping[str, str]) -> str:
    """The CRC-32 of the rows, by key, that is stored in the row `crc32`."""
    return str(crc32_of(sorted((key, text) for key, text in rows.items() if key not in SEALS)))


class StoredMetadata(DatabaseFile):
    """An open file with its table `about`, whose rows are properties."""

    about_keys: ClassVar[tuple[str, ...]] = REQUIRED_KEYS
    """The keys that a file of this layout must have."""
    foldings: ClassVar[tuple[str, ...]] = FOLDINGS
    """The texts that `folded` can have in this layout."""

    def __init__(self, path: str | Path, *, errors: str = "strict") -> None:
        """Open the file at `path` and read the table; raises `DamagedFile` or `UnfinishedFile`."""
        super().__init__(path, errors=errors)
        try:
            self.about = self._read_about()
            if "crc32" in self.about_keys:
                self._check_about()
        except BaseException:
            self.close()
            raise

    @property
    def game_name(self) -> str:
        """The name of the game, without a folder."""
        return without_folder(self.about["game"])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the game, by name."""
        try:
            return dict[str, Any](json_of(self.about["parameters"], dict))
        except ValueError as error:
            raise self.damage(f"parameters: {error}") from error

    @property
    def start(self) -> str:
        """The position in which play begins; the first one if there are several."""
        return self.about["start"]

    @property
    def starts(self) -> int:
        """The number of positions in which play may begin; in a folded file, of their classes."""
        return self.number("starts")

    @property
    def starts_in_words(self) -> str:
        """The number of starts, or of their classes, with the noun: several."""
        return f"{self.starts:,} {'classes of starts' if self.folded else 'starts'}"

    @property
    def endless(self) -> str:
        """The winner of play that never ends: `draw`, `first` or `second`."""
        if (endless := self.about["endless"]) not in ENDLESS:
            raise self.damage(f"endless: {endless[:80]!r}")
        return endless

    @property
    def endless_value(self) -> int:
        """The value of play that never ends: 0, 1 or -1."""
        return ENDLESS[self.endless]

    @property
    def folded(self) -> bool:
        """Whether each position in the file stands for its class of symmetric positions."""
        return self.folding_degree > 0

    @property
    def folding_degree(self) -> int:
        """The `Folding.degree` of the file."""
        if (folded := self.about["folded"]) not in self.foldings:
            raise self.damage(f"folded: {folded[:80]!r}")
        return FOLDINGS.index(folded)

    @cached_property
    def value_range(self) -> tuple[int, int]:
        """The least and the greatest minimax value, for the first player."""
        try:
            least, greatest = json_of(self.about["values"], list)
        except ValueError as error:
            raise self.damage(f"values: {error}") from error
        if not (type(least) is type(greatest) is int and least in INTEGERS and greatest in INTEGERS):
            raise self.damage("values: these are not two integers, or too large")
        return least, greatest

    @cached_property
    def scored(self) -> bool:
        """Whether the margin of a win matters: whether some value is not -1, 0 or 1."""
        least, greatest = self.value_range
        return least < -1 or greatest > 1

    def margin(self, value: int) -> int | None:
        """The margin of victory that a minimax value means; None in a game without margins."""
        return abs(value) if self.scored else None

    def number(self, key: str) -> int:
        """The number in a row; raises `DamagedFile` if it has none."""
        if not NUMBER.fullmatch(self.about[key]):
            raise self.damage(f"{key}: {self.about[key][:80]!r} is not a number")
        return int(self.about[key])

    def _read_about(self) -> dict[str, str]:
        about: dict[str, str] = dict(self.tuples(f"select key, value from about limit {MAX_ROWS}"))
        if not all(isinstance(word, str) for row in about.items() for word in row):
            raise self.damage("about does not hold texts")
        if "sha256" not in about:
            raise UnfinishedFile(
                f"{self.path} is unfinished: its build was interrupted; solve the game again"
            )
        if missing := [key for key in self.about_keys if key not in about]:
            raise self.damage(f"no {missing[0]!r} in about")
        return about

    def _check_about(self) -> None:
        """Raise `DamagedFile` if the checksum of the rows is not the stored one; older files store none."""
        if self.about.get("crc32") not in (None, checksum_of(self.about)):
            raise self.damage("the checksum of about does not match")
