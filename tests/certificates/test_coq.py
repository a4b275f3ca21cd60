"""Values proved in Coq: the printed rules, and what coqc accepts and refuses."""

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from operator import add, and_, eq, ge, gt, le, lshift, lt, mul, or_, rshift, sub, xor
from pathlib import Path
from random import Random

import pytest

from solver import open_database
from solver.analysis.certificates.coq_text import coq_proof
from solver.analysis.certificates.selection import certify
from solver.packed import PackedGame
from solver.rules.asking import symmetries_of
from tests.support.commandline import call
from tests.support.solved import solved_file

COQ: dict[str, Callable[..., int]] = {
    "land": and_,
    "lor": or_,
    "lxor": xor,
    "shiftl": lshift,
    "shiftr": rshift,
    "add": add,
    "sub": sub,
    "mul": mul,
    "eqb": eq,
    "ltb": lt,
    "leb": le,
    "gtb": gt,
    "geb": ge,
}
"""What Coq's standard library says of the functions of the module Z."""


def coq_function(body: str) -> Callable[[int], int]:
    """A printed rule, evaluated: each `let` applies one function of Z, which a truth may surround."""
    *lets, answer = body.split(" in ")

    def rule(state: int) -> int:
        values = {"s": state}

        def number(word: str) -> int:
            return values[word] if word in values else int(word.strip("()"))

        for let in lets:
            name, value = let.removeprefix("let ").split(" := ")
            words = re.findall(r"Z\.(?!b2z)(\w+)|(?<=[ (])(s|v\d+|\d+|\(-\d+\))(?=[ )]|$)", value)
            (function, _), (_, left), (_, right) = words
            computed = int(COQ[function](number(left), number(right)))
            values[name] = 1 - computed if "negb" in value else computed
        return number(answer.strip())

    return rule


@pytest.mark.parametrize("name", ["tictactoe", "hexapawn", "ponghauki"])
def test_printed_rules_match_the_game(name: str) -> None:
    with open_database(solved_file(name)) as db:
        game, made = db.game, certify(db)
    assert isinstance(game, PackedGame)
    printed = re.findall(r"^Definition (\w+) \(s : Z\) : Z := (.*)\.$", coq_proof(game, made), re.MULTILINE)
    rules = {rule: coq_function(body) for rule, body in printed}
    assert len(rules) == 3 + 2 * game.action_count + len(symmetries_of(game))
    for state in {*made[0].states, *made[1].states}:
        assert isinstance(state, int)
        assert bool(rules["is_terminal"](state)) == bool(game.is_terminal(state))
        for nth, symmetry in enumerate(symmetries_of(game)):
            assert rules[f"symmetry{nth}"](state) == symmetry.state(state)
        if game.is_terminal(state):
            assert rules["utility"](state) == game.utility(state)
            continue
        assert rules["to_move"](state) == game.to_move(state)
        for action in range(game.action_count):
            assert bool(rules[f"legal{action}"](state)) == bool(game.legal(state, action))
            if game.legal(state, action):
                assert rules[f"result{action}"](state) == game.result(state, action)


def coqc(text: str, path: Path) -> subprocess.CompletedProcess[str]:
    """What Coq says of a file with this text."""
    path.write_text(text)
    return subprocess.run(["coqc", path.name], cwd=path.parent, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "hexapawn"])
def test_coq_accepts_the_proof_and_refuses_altered_ones(name: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.v"
    assert call("certify", solved_file(name), "--checker", "coq", "-o", path).exit_code == 0
    text = path.read_text()
    assert not re.search(r"^\s*(Axiom|Parameter|Admitted|admit)", text, re.MULTILINE)
    done = coqc(text, path)
    assert (done.returncode, done.stdout) == (0, "Closed under the global context\n"), done.stderr
    with open_database(solved_file(name)) as db:
        game, made = db.game, certify(db)
    assert isinstance(game, PackedGame)
    first, second = made
    raised = replace(first, goal=first.goal + 1), replace(second, goal=second.goal - 1)
    nth = Random(1).randrange(len(second.states))
    ranks = second.ranks and [*second.ranks[:nth], *second.ranks[nth + 1 :]]
    removed = replace(second, states=[*second.states[:nth], *second.states[nth + 1 :]], ranks=ranks)
    spoilt = [raised, (first, removed)]
    if second.ranks is not None:
        spoilt.append((first, replace(second, ranks=[0] * len(second.ranks))))
    for pair in spoilt:
        assert coqc(coq_proof(game, pair), path).returncode == 1
