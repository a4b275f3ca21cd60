"""Checks a certificate: that a player, the owner, gets at least a goal from the start of a game.

    python3 check.py NAME.rules.py NAME.first                exit status 0: proved
    python3 check.py mygame.py:MyGame NAME.first             by the class of the rules itself

Why it is a proof. The file has a set of states. A state is good if play is over in it and brings the owner
the goal, or if it is in the set. For each state of the set this program finds by the rules: if the owner is
to move, a move to a good state, or to a state of the other player all of whose moves lead to good states; if
the other player is to move, that all moves lead to good states. The same holds at the start. So by always
making such a move the owner goes on to good states, whatever the other player does, and where play ends the
owner has the goal. If endless play would bring less than the goal, each state has a rank, and each of these
steps leads to a lower one: so play ends. Images of states under symmetries that the file uses are in the
set, and are checked like the rest: nothing has to be proved about symmetries.
"""

import gzip
import json
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

head, _, body = gzip.decompress(Path(sys.argv[2]).read_bytes()).partition(b"\n\n")
title, *lines = head.decode().split("\n")
facts = dict(line.split(" ", 1) for line in lines)
numbers = ("owner", "goal", "endless", "ranks", "texts", "symmetries", "count")
owner, goal, endless, ranked, texts, symmetries, count = (int(facts[name]) for name in numbers)
file, _, name = sys.argv[1].partition(":")
rules = SimpleNamespace(**runpy.run_path(file))
if name:
    given = json.loads(facts["parameters"])
    rules = getattr(rules, name)(**{key: tuple(x) if isinstance(x, list) else x for key, x in given.items()})
read = rules.parse if texts else int


def leb128(data):
    number = shift = 0
    for byte in data:
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            yield number
            number = shift = 0


maps = []
if symmetries:
    maps = [each.state for each in rules.symmetries()] if name else rules.SYMMETRIES
states, last, listed = {}, 0, 0
if texts:
    for line in body.decode().split("\n")[:-1]:
        rank, text = line.split(" ", 1) if ranked else (0, line)
        states[read(text)] = int(rank)
    listed = len(states)
else:
    for number in (stream := leb128(body)):
        if listed and not number:
            sys.exit("refused: states are not in order")
        last, listed, rank = last + number, listed + 1, next(stream) if ranked else 0
        for s in (last, *(image(last) for image in maps)):
            states[s] = min(rank, states.get(s, rank))


def ends_well(s):
    return (-rules.utility(s) if owner else rules.utility(s)) >= goal


def good(s, rank):
    return (s in states and (not ranked or states[s] < rank)) or bool(rules.is_terminal(s) and ends_well(s))


def answered(s, rank):
    if rules.is_terminal(s) or rules.to_move(s) == owner:
        return False
    moves = list(rules.actions(s))
    return bool(moves) and all(good(rules.result(s, a), rank) for a in moves)


def right(s, rank):
    if rules.is_terminal(s):
        return ends_well(s)
    after = [rules.result(s, a) for a in rules.actions(s)] if rules.to_move(s) == owner else []
    return any(good(t, rank) or answered(t, rank) for t in after) or answered(s, rank)


start, top = read(facts["start"]), float("inf")
needs_ranks = goal > (-endless if owner else endless)
if (
    title != "perfectplay certificate 1"
    or symmetries != len(maps)
    or listed != count
    or (needs_ranks and not ranked)
):
    sys.exit("refused: its header")
for state, rank in states.items():
    if not right(state, rank):
        sys.exit(f"refused: state {state!r}")
if not (good(start, top) or answered(start, top)):
    sys.exit("refused: its start")
who = "second" if owner else "first"
print(f"proved by {count} states: from {facts['start']} the {who} player gets at least {goal}")
