"""Checks a strong solution: value and plies to the end of each state that play from its starts can reach.

    python3 strong.py NAME.rules.py NAME.strong   exit status 0: proved; or game.py:Class for NAME.rules.py
Why it is a proof. Let e be the value of endless play. Where the value is above e, the first player hurries;
where it is below, the second; where it is e, nobody if e is 0, else the winner of endless play. By the rules,
every move from a state of the file leads to a state of the file. A terminal state has its utility and 0
plies. Any other has the best value that its mover can reach and, of the moves that keep it, 1 ply more than
the fewest if the mover hurries, than the most if the other player does. Only where the value is e may plies
be missing. So at another value the one who hurries can improve the value, or keep it with fewer plies,
whatever the other does: play ends, with no less. The other player can keep the value, and prefers endless
play. At the value e either player can keep it. So the values are right, and by induction the plies.
"""

import gzip
import json
import re
import runpy
import sys
from itertools import accumulate
from math import inf
from pathlib import Path


def right(s, value, plies):  # plies: those to the end plus 1, or 0 if there are none
    if rules.is_terminal(s):
        return (value, plies) == (rules.utility(s), 1)
    sign = -1 if rules.to_move(s) else 1
    after = [labels.get(rules.result(s, a)) for a in rules.actions(s)]
    if not after or None in after or value != sign * max(sign * best for best, _ in after):
        return False
    keeping = [left or inf for best, left in after if best == value]
    hurry = sign * ((value > endless) - (value < endless) or endless)
    before = inf if hurry == 0 else min(keeping) if hurry > 0 else max(keeping)
    return plies == (0 if before == inf else before + 1) and (plies > 0 or value == endless)


path, _, name = sys.argv[1].partition(":")
head, _, body = gzip.decompress(Path(sys.argv[2]).read_bytes()).partition(b"\n\n")
title, _, parameters, _, _, *facts = (line.partition(" ")[2] for line in head.decode().split("\n"))
starts, (endless, symmetries, texts, count) = facts[:-4], map(int, facts[-4:])
loaded = runpy.run_path(path)
given = {key: tuple(x) if isinstance(x, list) else x for key, x in json.loads(parameters).items()}
rules = loaded[name](**given) if name else type("Rules", (), loaded)
maps = [turn.state for turn in rules.symmetries()] if name and symmetries else loaded.get("SYMMETRIES", [])
if texts:  # each line is a value, plies and a state
    read, rows = rules.parse, (line.split(" ", 2) for line in body.decode().split("\n")[:-1])
    records = [(text, int(value), int(plies)) for value, plies, text in rows]
else:  # numbers in LEB128, three for each state: the difference from the last state, value and plies
    read, leb128 = int, re.findall(rb"[\x80-\xff]*[\x00-\x7f]|.", body, re.DOTALL)
    code = [sum((byte & 127) << 7 * nth for nth, byte in enumerate(number)) for number in leb128]
    records = [*zip(accumulate(code[::3]), (n >> 1 ^ -(n & 1) for n in code[1::3]), code[2::3], strict=True)]
images = [(f(read(s)), *label) for s, *label in records for f in (lambda s: s, *maps[:symmetries])]
labels = {s: label for s, *label in images}
wrong = symmetries not in (0, len(maps)) or not count == len(records) == len({*records})
faults = ["its header"] * (wrong or title != "strong solution 1" or abs(endless) > 1)
faults += [s for s, *label in images if not right(s, *label)] + [s for s in starts if read(s) not in labels]
if faults:
    sys.exit(f"refused: {faults[0]}")
loops = f" ({('first', 'second')[endless < 0]} wins endless play)" if endless else ""
print(f"proved: {count} states; from {starts[0]} the value is {labels[read(starts[0])][0]}{loops}")
