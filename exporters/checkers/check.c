/* Checks a certificate: that a player, the owner, gets at least a goal from the start of a game.

     cc -O2 -include NAME.rules.h check.c -o check && zcat NAME.first | ./check        exit status 0: proved

   Why it is a proof. The file has a set of states. A state is good if play is over in it and brings the owner the goal,
   or if it is in the set. For each state of the set this program finds by the rules: if the owner is to move, a move
   to a good state, or to a state of the other player all of whose moves lead to good states; if the other player is to
   move, that all moves lead to good states. The same holds at the start. So by always making such a move the owner
   goes on to good states, whatever the other player does, and where play ends the owner has the goal. If endless play
   would bring less than the goal, each state of the set has a rank, and each of these steps leads to a lower one:
   ranks cannot fall for ever, so play ends. What is trusted: the printed rules, the compiler, and these lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static i64 *states, *ranks, count, owner, goal, endless, start, has_ranks, texts, symmetries;

static i64 leb128(void) {
    u64 number = 0;
    for (int shift = 0, byte = 128; byte & 128; shift += 7) {
        if ((byte = getchar()) == EOF || shift > 56) { puts("refused: the file ends early, or a number is too long"); exit(1); }
        number |= (u64)(byte & 127) << shift;
    }
    return (i64)number;
}
static int ends_well(i64 s) { return (owner ? -utility(s) : utility(s)) >= goal; }
static int good(i64 s, i64 rank) {
    i64 low = 0, high = count;
    while (low < high) { i64 middle = (low + high) / 2; if (states[middle] < s) low = middle + 1; else high = middle; }
    if (low < count && states[low] == s && (!has_ranks || ranks[low] < rank)) return 1;
    return is_terminal(s) && ends_well(s);
}
static int answered(i64 s, i64 rank) {                  /* the other player is to move, and all moves are good */
    int moves = 0;
    if (is_terminal(s) || to_move(s) == owner) return 0;
    for (int a = 0; a < ACTIONS; a++)
        if (legal[a](s)) { moves++; if (!good(result[a](s), rank)) return 0; }
    return moves > 0;
}
static int right(i64 s, i64 rank) {
    if (is_terminal(s)) return ends_well(s);
    if (to_move(s) != owner) return answered(s, rank);
    for (int a = 0; a < ACTIONS; a++)
        if (legal[a](s)) { i64 t = result[a](s); if (good(t, rank) || answered(t, rank)) return 1; }
    return 0;
}
int main(void) {
    char line[65536];
    struct { const char *name; i64 *value; } facts[] = {{"owner %ld", &owner}, {"goal %ld", &goal}, {"endless %ld", &endless},
        {"start %ld", &start}, {"ranks %ld", &has_ranks}, {"texts %ld", &texts}, {"symmetries %ld", &symmetries}, {"count %ld", &count}};
    if (!fgets(line, sizeof line, stdin) || strcmp(line, "perfectplay certificate 1\n")) { puts("refused: no certificate"); return 1; }
    while (fgets(line, sizeof line, stdin) && *line != '\n')
        for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++) sscanf(line, facts[i].name, facts[i].value);
    if (texts || symmetries || count < 0 || (!has_ranks && goal > (owner ? -endless : endless))) { puts("refused: its header"); return 1; }
    states = malloc((count + 1) * sizeof *states); ranks = malloc((count + 1) * sizeof *ranks);
    for (i64 i = 0; i < count; i++) {
        states[i] = leb128() + (i ? states[i-1] : 0); ranks[i] = has_ranks ? leb128() : 0;
        if (i && states[i] <= states[i-1]) { puts("refused: states are not in order"); return 1; }
    }
    if (getchar() != EOF) { puts("refused: more than is announced"); return 1; }
    for (i64 i = 0; i < count; i++)
        if (!right(states[i], ranks[i])) { printf("refused: state %ld\n", states[i]); return 1; }
    if (!good(start, INT64_MAX) && !answered(start, INT64_MAX)) { puts("refused: its start"); return 1; }
    printf("proved by %ld states: from %ld the %s player gets at least %ld\n", count, start, owner ? "second" : "first", goal);
}
