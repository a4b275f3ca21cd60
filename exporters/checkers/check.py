"""Checks a certificate: that a player, the owner, gets at least a goal from the start of a game.

    python3 check.py NAME.rules.py NAME.first     exit status 0: proved; or game.py:Class for NAME.rules.py

Why it is a proof. The file has a set of states. A state is good if it is in the set, or if play is over in it
and brings the owner the goal. For each state of the set this program finds by the rules: if the owner is to
move, a move to a good state, or to a state of the other player all of whose moves lead to good states; if the
other player is to move, that all moves lead to good states. The start is good, or is the other player's, and
all moves lead to good states. So the owner can always go on to good states, and where play ends, the owner
has the goal. If endless play would bring less, each state of the set has a rank, and each of these steps
leads to a lower one: so play ends. Images of states under symmetries are in the set, checked like the rest.
"""

import gzip
import json
import re
import runpy
import sys
from itertools import accumulate, repeat
from pathlib import Path
from types import SimpleNamespace


def holds(s, bound, moved):  # moved: 0 for a state of the set, 1 after a move of the owner, 2 after a reply
    if moved and ranks.get(s, bound) < bound:
        return True
    if rules.is_terminal(s):
        return (-rules.utility(s) if owner else rules.utility(s)) >= goal
    mine = rules.to_move(s) == owner
    moves = [] if moved == 2 or (moved == 1 and mine) else rules.actions(s)
    after = (holds(rules.result(s, a), bound, 1 if mine else 2) for a in moves)
    return any(after) if mine else len(moves) > 0 and all(after)


path, _, name = sys.argv[1].partition(":")
head, _, body = gzip.decompress(Path(sys.argv[2]).read_bytes()).partition(b"\n\n")
title, _, parameters, _, _, start, *facts = (line.partition(" ")[2] for line in head.decode().split("\n"))
owner, goal, endless, symmetries, ranked, texts, count = map(int, facts)
loaded = runpy.run_path(path)
given = {key: tuple(x) if isinstance(x, list) else x for key, x in json.loads(parameters).items()}
rules = loaded[name](**given) if name else SimpleNamespace(**loaded)
maps = [each.state for each in rules.symmetries()] if name and symmetries else loaded.get("SYMMETRIES", [])
if texts:  # in each line a state, after its rank if there are ranks
    fields = [field for line in body.decode().split("\n")[:-1] for field in line.split(" ", ranked)]
    states, rank_of = map(rules.parse, fields[ranked :: 1 + ranked]), map(int, fields[:: 1 + ranked])
else:  # numbers in LEB128, which become states if they are added up
    leb128 = re.findall(rb"[\x80-\xff]*[\x00-\x7f]", body)
    fields = [sum((byte & 127) << 7 * nth for nth, byte in enumerate(number)) for number in leb128]
    states, rank_of = accumulate(fields[:: 1 + ranked]), fields[1 :: 1 + ranked]
by_rank = sorted(zip(states, rank_of if ranked else repeat(0), strict=False), key=lambda pair: -pair[1])
ranks = {image: rank for s, rank in by_rank for image in (s, *(f(s) for f in maps[:symmetries]))}
if title != "certificate 1" or symmetries not in (0, len(maps)) or len(fields) != count * (1 + ranked):
    sys.exit("refused: its header")
must_end = goal > (-endless if owner else endless)
for s, rank in ranks.items():
    if not holds(s, rank if must_end else float("inf"), 0):
        sys.exit(f"refused: state {s!r}")
if not holds(rules.parse(start) if texts else int(start), float("inf"), 1):
    sys.exit("refused: its start")
print(f"proved by {count} states: from {start} the {['first', 'second'][owner]} player gets at least {goal}")
