"""Two certificates and the rules of a packed game as one file that Coq accepts only if they prove the value.

The theory of `exporters/checkers/coq/` comes first, so that the file needs nothing else. The text of a
certificate has five bits per character, from "0" to "o", the highest first; a sixth bit says that more
characters of the number follow. The proof rests only on `check_sound` and Coq's evaluation, not on this code.
"""

import re
from collections.abc import Iterator
from importlib.resources import files

from solver.analysis.certificates import SIDES
from solver.analysis.certificates.certificate import Certificate
from solver.analysis.certificates.rules_code import Language, printed_rules
from solver.packed import PackedGame

THEORY = ("Game.v", "Checker.v", "Certificate.v")
"""The files of `exporters/checkers/coq/` in the order of their dependencies."""

NO_COMMENT = re.compile(r"[^\w .,:=\[\]-]")
"""The characters that are removed from a comment, as they could end it."""

LINE = 100
"""The approximate number of characters in a line of text."""

OPERATIONS = {
    "&": "Z.land {} {}",
    "|": "Z.lor {} {}",
    "^": "Z.lxor {} {}",
    "<<": "Z.shiftl {} {}",
    ">>": "Z.shiftr {} {}",
    "+": "Z.add {} {}",
    "-": "Z.sub {} {}",
    "*": "Z.mul {} {}",
    "==": "Z.b2z (Z.eqb {} {})",
    "!=": "Z.b2z (negb (Z.eqb {} {}))",
    "<": "Z.b2z (Z.ltb {} {})",
    "<=": "Z.b2z (Z.leb {} {})",
    ">": "Z.b2z (Z.gtb {} {})",
    ">=": "Z.b2z (Z.geb {} {})",
}

COQ = Language(
    ".rules.v",
    "",
    "Definition {name} (s : Z) : Z := {statements}{value}.\n",
    "let {name} := {value} in ",
    lambda number: f"({number})" if number < 0 else str(number),
    lambda symbol, left, right: OPERATIONS[symbol].format(left, right),
    "",
)


def theory() -> str:
    """The theory as one text, which needs only Coq's standard library."""
    folder = files("exporters").joinpath("checkers", "coq")
    texts = (folder.joinpath(name).read_text() for name in THEORY)
    lines = (line for text in texts for line in [*text.splitlines(), ""])
    return "\n".join(line for line in lines if not line.startswith("From Perfectplay "))


def coq_proof(game: PackedGame, made: tuple[Certificate, Certificate]) -> str:
    """The file whose theorem `value` states that the start of two certificates has their value.

    Raises `Untraceable` as `printed_rules` does.
    """
    first, _ = made
    parts = [theory(), *_rules(game, first), f"Definition start : Z := {first.start}."]
    for certificate, side in zip(made, SIDES, strict=True):
        parts += _claim(certificate, side)
    parts += [
        f"\nTheorem value : has_value the_game start ({first.goal}).",
        f"Proof. split; [exact {SIDES[0]}|exact {SIDES[1]}]. Qed.",
        "\nPrint Assumptions value.",
    ]
    return "\n".join(parts) + "\n"


def _rules(game: PackedGame, certificate: Certificate) -> Iterator[str]:
    words = [
        certificate.named["game"],
        *(f"{name}={value}" for name, value in certificate.parameters.items()),
    ]
    title = NO_COMMENT.sub("", " ".join(words))
    yield f"(** * The rules of {title}, each operation of the solver's for each *)\n\nModule Rules."
    printed, _ = printed_rules(game, [COQ])
    yield f"{printed[COQ.suffix]}End Rules.\n"
    yield "Definition the_game : game := {|"
    yield "  is_terminal := truth Rules.is_terminal; to_move := mover Rules.to_move;"
    actions = ";\n    ".join(
        f"Action (truth Rules.legal{action}) Rules.result{action}" for action in range(game.action_count)
    )
    yield f"  actions := [\n    {actions}];"
    yield f"  utility := Rules.utility; endless := ({certificate.endless}) |}}.\n"


def _claim(certificate: Certificate, side: str) -> Iterator[str]:
    """The text of a certificate, and the theorem that it proves."""
    maps = "; ".join(f"Rules.symmetry{nth}" for nth in range(certificate.symmetries))
    count = len(certificate.states)
    yield f"\n(** * What the {side} player gets at least: proved by {count} state{'s' * (count != 1)} *)\n"
    lines = ";\n  ".join(f'"{line}"' for line in _lines(certificate))
    yield f"Definition {side}_states : list text := [\n  {lines}]%text."
    ranked = "true" if certificate.ranks is not None else "false"
    player = side.capitalize()
    yield f"\nTheorem {side} : guarantees the_game {player} ({certificate.goal}) start."
    yield "Proof. apply check_sound with"
    yield f"  (entries := with_images [{maps}] (entries_of {ranked} {side}_states))."
    yield "vm_cast_no_check (eq_refl true). Qed."


def _lines(certificate: Certificate) -> Iterator[str]:
    """The differences between states, each followed by the rank, as lines; no number spans two lines."""
    line, last = "", 0
    for nth, state in enumerate(map(int, certificate.states)):
        line += _digits(state - last)
        if certificate.ranks is not None:
            line += _digits(certificate.ranks[nth])
        last = state
        if len(line) >= LINE:
            yield line
            line = ""
    if line:
        yield line


def _digits(number: int) -> str:
    digits = chr(ord("0") + (number & 31))
    while number := number >> 5:
        digits = chr(ord("0") + (number & 31 | 32)) + digits
    return digits
