"""Checks a certificate: that a player, the owner, can get at least a goal from the start of a game.

    python3 check.py NAME.rules.py NAME.first     exit status 0: proved; or game.py:Class for NAME.rules.py
Why it is a proof. A state is good if it is in the file's set, or terminal with at least the goal for the
owner. It is answered if the other player is to move, has a move, and every move leads to a good state. By the
rules, each state of the set is terminal with the goal, or answered, or has an owner's move to a good or
answered state; the start is good or answered. So the owner can make play return to good states, within two
plies each time, and has the goal where play ends. If endless play is worth less, states have ranks, and each
return lowers the rank or ends play: so play ends. Images under symmetries are checked, too.
"""

import gzip
import json
import re
import runpy
import sys
from itertools import accumulate, pairwise, repeat


def holds(s, bound, moved):  # moved: 0 for a state of the set, 1 after a move of the owner, 2 after a reply
    if moved and ranks.get(s, bound) < bound:
        return True
    if rules.is_terminal(s):
        return (-rules.utility(s) if owner else rules.utility(s)) >= goal
    mine = rules.to_move(s) == owner
    moves = [] if moved == 2 or (moved == 1 and mine) else rules.actions(s)
    after = (holds(rules.result(s, a), bound, 1 if mine else 2) for a in moves)
    return any(after) if mine else len(moves) > 0 and all(after)


loaded, name = runpy.run_path(sys.argv[1].split(":")[0]), sys.argv[1].partition(":")[2]
sys.excepthook = lambda kind, error, _: print(f"refused: {kind.__name__}: {error}", file=sys.stderr)
FORM = f"""perfectplay certificate 1\ngame .+\nparameters (.+)\nrules .+\nplay .+\nstart (.*)\nowner ([01])
goal {(N := "(0|-?[1-9][0-9]*)")}\nendless (-1|0|1)\nsymmetries {N}\nranks ([01])\ntexts ([01])\ncount {N}"""
head, _, body = gzip.GzipFile(sys.argv[2]).read().partition(b"\n\n")
parameters, start, *facts = (re.fullmatch(FORM, head.decode()) or sys.exit("refused: its header")).groups()
(owner, goal, endless, symmetries, ranked, texts, count), sides = map(int, facts), ("first", "second")
given = {key: tuple(x) if isinstance(x, list) else x for key, x in json.loads(parameters).items()}
rules = loaded[name](**given) if name else type("Rules", (), loaded)
maps = [turn.state for turn in rules.symmetries()] if name and symmetries else loaded.get("SYMMETRIES", [])
if texts:  # each line is a state, preceded by its rank if there are ranks
    fields = [field for line in body.decode().split("\n")[:-1] for field in line.split(" ", ranked)]
    listed, rank_of, read = fields[ranked :: 1 + ranked], fields[:: 1 + ranked], rules.parse
    wrong = ranked and any(str(int(rank) % 2**63) != rank for rank in rank_of)
else:  # numbers in LEB128: differences between states, each followed by a rank if there are ranks
    leb128 = re.findall(rb"[\x80-\xff]{,8}[\x00-\x7f]", body)
    fields = [sum((byte & 127) << 7 * nth for nth, byte in enumerate(number)) for number in leb128]
    listed, rank_of, read = [*accumulate(fields[:: 1 + ranked])], fields[1 :: 1 + ranked], int
    wrong = b"".join(leb128) != body or max([int(start), *listed]) >> 63 or str(abs(int(start))) != start
must_end, rank_of = goal > (-endless if owner else endless), map(int, rank_of) if ranked else repeat(0)
wrong = wrong or symmetries not in (0, len(maps)) or len(fields) != count * (1 + ranked) or must_end > ranked
if wrong or (texts and body.split(b"\n")[count:] != [b""]) or any(a >= b for a, b in pairwise(listed)):
    sys.exit("refused: its numbers, or its states, which do not ascend")
by_rank = sorted(zip(map(read, listed), rank_of, strict=False), key=lambda pair: -pair[1])
ranks = {image: rank for s, rank in by_rank for image in (s, *(f(s) for f in maps[:symmetries]))}
wrong = [s for s, rank in ranks.items() if not holds(s, rank if must_end else 1e99, 0)]
if wrong or not holds(read(start), 1e99, 1):
    sys.exit(f"refused: {f'state {wrong[0]!r}' if wrong else 'its start'}")
loops, s = f" ({sides[endless < 0]} wins endless play)" if endless else "", "s" * (count != 1)
print(f"proved by {count} state{s}: from {start} the {sides[owner]} player gets at least {goal}{loops}")
