"""Checks a strong solution: value and plies to the end of each state that play from its starts can reach.

    python3 strong.py NAME.rules.py NAME.strong   exit status 0: proved; or game.py:Class for NAME.rules.py
Why it is a proof. Let e be the value of endless play. Above e the first player hurries, below e the second,
at e the winner of endless play. By the rules, moves lead from states of the file to states of the file. A
terminal state has its utility and 0 plies. Any other has the best value that its mover can reach and, of the
moves that keep it, 1 ply more than the fewest if the mover hurries, than the most if the other does. Only at
e may plies be missing. So at another value the one who hurries can improve the value, or keep it with fewer
plies, whatever the other does: play ends, with no less. The other can keep the value, and prefers endless
play. At e either can keep it. So the values are right, and by induction the plies.
"""

import gzip
import json
import re
import runpy
import sys
from itertools import accumulate


def right(s, value, plies):  # plies: those to the end plus 1, or 0 if there are none
    if rules.is_terminal(s):
        return (value, plies) == (rules.utility(s), 1)
    sign, after = -1 if rules.to_move(s) else 1, [labels.get(rules.result(s, a)) for a in rules.actions(s)]
    if not after or None in after or value != sign * max(sign * best for best, _ in after):
        return False
    keeping = [left or 1e99 for best, left in after if best == value]  # 1e99: no end is forced
    hurry = sign * ((value > endless) - (value < endless) or endless)
    before = 1e99 if hurry == 0 else min(keeping) if hurry > 0 else max(keeping)
    return plies == (0 if before == 1e99 else before + 1) and (plies > 0 or value == endless)


loaded, name = runpy.run_path(sys.argv[1].split(":")[0]), sys.argv[1].partition(":")[2]
sys.excepthook = lambda kind, error, _: print(f"refused: {kind.__name__}: {error}", file=sys.stderr)
FORM = f"""perfectplay strong solution 1\ngame .+\nparameters (.+)\nrules .+\nplay .+\n((?:start .*\n)+)\
endless (-1|0|1)\nsymmetries {(N := "(0|-?[1-9][0-9]*)")}\ntexts ([01])\ncount {N}"""
head, _, body = gzip.GzipFile(sys.argv[2]).read().partition(b"\n\n")
parameters, starts, *facts = (re.fullmatch(FORM, head.decode()) or sys.exit("refused: its header")).groups()
(endless, symmetries, texts, count), starts = map(int, facts), starts[6:-1].split("\nstart ")
given = {key: tuple(x) if isinstance(x, list) else x for key, x in json.loads(parameters).items()}
rules = loaded[name](**given) if name else type("Rules", (), loaded)
maps = [turn.state for turn in rules.symmetries()] if name and symmetries else loaded.get("SYMMETRIES", [])
read = rules.parse if texts else int
if texts:  # each line is a value, plies and a state
    code = [field for row in re.findall(f"(?m)^{N} {N} (.*)\n", body.decode()) for field in row]
    wrong, (values, plies, listed) = body.split(b"\n")[count:] != [b""], (code[nth::3] for nth in range(3))
else:  # numbers in LEB128, three for each state: the difference from the last state, value and plies
    leb128 = re.findall(rb"[\x80-\xff]{,8}[\x00-\x7f]", body)
    code = [sum((byte & 127) << 7 * nth for nth, byte in enumerate(number)) for number in leb128]
    listed, values, plies = [*accumulate(code[::3])], (n >> 1 ^ -(n & 1) for n in code[1::3]), code[2::3]
    wrong = b"".join(leb128) != body or sum(code[::3]) >> 63 or not all(re.fullmatch(N, s) for s in starts)
if wrong or symmetries not in (0, len(maps)) or len(code) != 3 * count or listed != sorted({*listed}):
    sys.exit("refused: its numbers, or its states, which do not ascend")
records = zip(map(read, listed), map(int, values), map(int, plies), strict=True)
images = [(f(s), *label) for s, *label in records for f in (lambda s: s, *maps[:symmetries])]
labels = {s: label for s, *label in images}
if bad := [s for s, *label in images if not right(s, *label)] + [s for s in starts if read(s) not in labels]:
    sys.exit(f"refused: {bad[0]}")
loops, s = f" ({('first', 'second')[endless < 0]} wins endless play)" if endless else "", "s" * (count != 1)
print(f"proved: {count} state{s}; from {starts[0]} the value is {labels[read(starts[0])][0]}{loops}")
