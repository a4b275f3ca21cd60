/* Checks a certificate: that a player, the owner, gets at least a goal from the start of a game.

     cc -O2 -include NAME.rules.h check.c -o check && zcat NAME.first | ./check        exit status 0: proved

   Why it is a proof. The file has a set of states. A state is good if play is over in it and brings the owner the goal,
   or if it is in the set. For each state of the set this program finds by the rules: if the owner is to move, a move
   to a good state, or to a state of the other player all of whose moves lead to good states; if the other player is to
   move, that all moves lead to good states. The same holds at the start. So by always making such a move the owner
   goes on to good states, whatever the other player does, and where play ends the owner has the goal. If endless play
   would bring less than the goal, each state of the set has a rank, and each of these steps leads to a lower one:
   ranks cannot fall for ever, so play ends. Images of states under symmetries that the file uses are in the set, and are
   checked like the rest: nothing has to be proved about symmetries. What is trusted: the printed rules, the compiler,
   and these lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct entry { i64 state, rank; } *set;
static i64 count, entries, owner, goal, endless, start, has_ranks, texts, symmetries;

static i64 leb128(void) {
    u64 number = 0;
    for (int shift = 0, byte = 128; byte & 128; shift += 7) {
        if ((byte = getchar()) == EOF || shift > 56) { puts("refused: the file ends early, or a number is too long"); exit(1); }
        number |= (u64)(byte & 127) << shift;
    }
    return (i64)number;
}
static int by_state(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return x->state != y->state ? (x->state > y->state) - (x->state < y->state) : (x->rank > y->rank) - (x->rank < y->rank);
}
static int ends_well(i64 s) { return (owner ? -utility(s) : utility(s)) >= goal; }
static int good(i64 s, i64 rank) {
    i64 low = 0, high = entries;
    while (low < high) { i64 middle = (low + high) / 2; if (set[middle].state < s) low = middle + 1; else high = middle; }
    if (low < entries && set[low].state == s && (!has_ranks || set[low].rank < rank)) return 1;
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
    int maps = 0;
    while (symmetry[maps]) maps++;
    if (texts || (symmetries && symmetries != maps) || count < 0 || count >= INT64_MAX / 16 / (maps + 1)
        || (!has_ranks && goal > (owner ? -endless : endless))) { puts("refused: its header"); return 1; }
    set = malloc((count + 1) * (symmetries + 1) * sizeof *set);
    for (i64 i = 0, last = -1, s; i < count; i++, last = s) {
        s = leb128() + (i ? last : 0); i64 rank = has_ranks ? leb128() : 0;
        if (s <= last) { puts("refused: states are not in order"); return 1; }
        set[entries++] = (struct entry){s, rank};
        for (int n = 0; n < symmetries; n++) set[entries++] = (struct entry){symmetry[n](s), rank};
    }
    qsort(set, entries, sizeof *set, by_state);
    if (getchar() != EOF) { puts("refused: more than is announced"); return 1; }
    for (i64 i = 0; i < entries; i++)
        if (!right(set[i].state, set[i].rank)) { printf("refused: state %ld\n", set[i].state); return 1; }
    if (!good(start, INT64_MAX) && !answered(start, INT64_MAX)) { puts("refused: its start"); return 1; }
    printf("proved by %ld states: from %ld the %s player gets at least %ld\n", count, start, owner ? "second" : "first", goal);
}
