/* Checks a strong solution: the value and the plies to the end of every state that play from its starts can reach.
     cc -O2 -include NAME.rules.h strong.c -o strong && zcat NAME.strong | ./strong        exit status 0: proved
   Why it is a proof. Let e be the value of endless play. Above e the first player hurries, below e the second, at e the winner
   of endless play. By the rules, moves lead from states of the file to states of the file. A terminal state has its utility and
   0 plies. Any other has the best value that its mover can reach and, of the moves that keep it, 1 ply more than the fewest if
   the mover hurries, than the most if the other does. Only at e may plies be missing. So at another value the one who hurries
   can improve the value, or keep it with fewer plies, whatever the other does: play ends, with no less. The other can keep the
   value, and prefers endless play. At e either can keep it. So the values are right, and by induction the plies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct entry { i64 state; int value, plies; } *set;      /* plies to the end, plus 1 */
static i64 endless, symmetries, texts, count, entries, begins, *starts, places[4096];
enum { NONE = 1 << 30, NEAR = 4, MAPS = sizeof symmetry / sizeof *symmetry - 1 };
static void need(int holds, const char *what) { if (!holds) { printf("refused: %s\n", what); exit(1); } }
static int by_state(const void *a, const void *b) { const i64 *x = a, *y = b; return (*x > *y) - (*x < *y); }
static i64 leb128(i64 least, i64 most) {
    i64 number = 0, byte = 128; for (int shift = 0; byte & 128 && shift < 63; shift += 7) number |= ((byte = getchar()) & 127) << shift;
    return need(byte >= 0 && byte < 128 && number >= least && number <= most, "it ends early, or has a number that cannot be"), number;
}
static i64 line(const char *name) {                             /* the number in the next line of the header */
    char text[99] = "", again[99]; i64 number = 0; if (fgets(text, 99, stdin)) sscanf(text + strlen(name), "%ld", &number);
    return snprintf(again, 99, "%s %ld\n", name, number), need(!strcmp(text, again), "its header"), number;
}
static const struct entry *find(i64 s, i64 from) {              /* begins where the last move with this difference led */
    i64 *place = &places[((u64)s - (u64)from) * 0x9E3779B97F4A7C15u >> 52], low = set[*place].state > s ? 0 : *place, high = low + NEAR;
    for (i64 by = NEAR; high < entries && set[high].state <= s; by *= 2) low = high, high += by;
    while (high - low > NEAR) { i64 at = (low + high) / 2; if (at < entries && set[at].state <= s) low = at; else high = at; }
    for (i64 n = 1, at = low; n <= NEAR && at + n < entries; n++) low += set[at + n].state <= s;
    return need(set[*place = low].state == s, "a start, or a state to which a move leads, is not in it"), set + low;
}
static int right(struct entry e) {
    if (is_terminal(e.state)) return e.value == utility(e.state) && e.plies == 1;
    i64 worth = 1LL << 32, sign = to_move(e.state) ? -1 : 1, soonest = -worth * NONE, latest = soonest;    /* of the best moves */
    for (int a = 0; a < ACTIONS; a++) if (legal[a](e.state)) {
        const struct entry *t = find(result[a](e.state), e.state); i64 gain = worth * sign * t->value;
        soonest = gain - t->plies > soonest ? gain - t->plies : soonest; latest = gain + t->plies > latest ? gain + t->plies : latest;
    }
    i64 best = latest >> 32, hurry = sign * (e.value > endless ? 1 : e.value < endless ? -1 : endless);
    i64 plies = !hurry ? NONE : hurry > 0 ? worth * best - soonest : latest - worth * best;
    return e.value == sign * best && e.plies == plies + (plies < NONE) && (plies < NONE || e.value == endless);
}
int main(void) {
    for (char *c = "perfectplay strong solution 1\ngame *parameters *rules *play *"; *c; c++)                    /* *: any text */
        if (*c == '*') scanf("%*[^\n]%*1[\n]"); else need(getchar() == *c, "its header");
    do if ((starts = realloc(starts, ++begins * 8))) starts[begins - 1] = line("start"); while (ungetc(getchar(), stdin) == 's');
    endless = line("endless"); symmetries = line("symmetries"); texts = line("texts"); count = line("count");
    need(getchar() == '\n' && !texts && endless >= -1 && endless <= 1 && (!symmetries || symmetries == MAPS) && count > 0
        && count < INT64_MAX / 32 / (MAPS + 1) && (set = malloc(count * (symmetries + 1) * sizeof *set)), "its header");
    for (i64 i = 0, s = 0; i < count; i++) {
        s += leb128(i > 0, INT64_MAX - s); i64 value = leb128(0, NONE - 2), plies = leb128(0, NONE - 2);
        set[entries++] = (struct entry){s, (int)(value >> 1 ^ -(value & 1)), plies ? (int)plies : NONE};
        for (int n = 0; n < symmetries; n++, entries++) { set[entries] = set[entries - 1]; set[entries].state = symmetry[n](s); }
    }
    need(getchar() == EOF, "it has more than it announces"); if (symmetries) qsort(set, entries, sizeof *set, by_state);
    for (i64 i = 0; i < begins; i++) find(starts[i], 0);
    for (i64 i = 0; i < entries; i++) if (!right(set[i])) { printf("refused: state %ld\n", set[i].state); return 1; }
    printf("proved: %ld state%s; from %ld the value is %d%s\n", count, count == 1 ? "" : "s", *starts,
        find(*starts, 0)->value, !endless ? "" : endless < 0 ? " (second wins endless play)" : " (first wins endless play)");
}
