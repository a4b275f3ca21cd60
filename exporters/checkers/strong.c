/* Checks a strong solution: the value, and the plies to the end, of all states that play from its starts can reach.
     cc -O2 -include NAME.rules.h strong.c -o strong && zcat NAME.strong | ./strong        exit status 0: proved
   Why it is a proof. Let e be the utility of endless play; the first player hurries where the value is above e, the second
   where it is below. By the rules all moves of each state of the file lead to states of the file; its value is the best of
   theirs for who is to move, or its utility if play is over; its plies are 1 more than the least of those of the moves that
   keep the value, if who is to move hurries, else than the greatest; and a value other than e has plies. So who hurries can
   always move such that the value gets better for him, or stays and the plies fall, whatever the other does: play ends, with
   no less than the value. Who does not hurry keeps the value, and gets no less by play that ends, nor by endless play. So
   the values are right, and by induction the plies. At the value e, if it is 0, nobody hurries, and there are no plies; else
   who gets it hurries, and there are none where he cannot end play. Images under symmetries are checked like the rest. */
#include <stdio.h>
#include <stdlib.h>
static struct entry { i64 state; int value, plies; } *set;      /* plies to the end, plus 1 */
static i64 version, endless, symmetries, count, entries, start, begins, *starts, places[4096];
enum { NONE = 1 << 30, MAPS = sizeof symmetry / sizeof *symmetry - 1 };
static void need(int holds, const char *what) { if (!holds) { printf("refused: %s\n", what); exit(1); } }
static int by_state(const void *a, const void *b) { const i64 *x = a, *y = b; return (*x > *y) - (*x < *y); }
static i64 leb128(i64 least, i64 most) {
    i64 number = 0, byte = 128;
    for (int shift = 0; byte & 128 && shift < 63; shift += 7) number |= ((byte = getchar()) & 127) << shift;
    need(byte >= 0 && byte < 128 && number >= least && number <= most, "it ends early, or has a number that cannot be");
    return number;
}
static const struct entry *find(i64 s, i64 from) {              /* begins where the last move by as much has led to */
    i64 *place = &places[((u64)s - (u64)from) * 0x9E3779B97F4A7C15u >> 52], low = set[*place].state > s ? 0 : *place, high = low;
    for (i64 by = 1; high < entries && set[high].state <= s; by *= 2) low = high, high += by < entries - high ? by : entries - high;
    while (high - low > 1) { i64 middle = (low + high) / 2; if (set[middle].state <= s) low = middle; else high = middle; }
    need(set[*place = low].state == s, "a start, or a state to which a move leads, is not in it");
    return set + low;
}
static int right(struct entry e) {
    if (is_terminal(e.state)) return e.value == utility(e.state) && e.plies == 1;
    int sign = to_move(e.state) ? -1 : 1, best = -NONE, least = NONE, most = NONE;
    for (int a = 0; a < ACTIONS; a++) if (legal[a](e.state)) {
        struct entry t = *find(result[a](e.state), e.state);
        if (sign * t.value > best) { best = sign * t.value; least = most = t.plies; }
        if (sign * t.value == best) { if (t.plies < least) least = t.plies; if (t.plies > most) most = t.plies; }
    }
    i64 hurry = sign * (e.value > endless ? 1 : e.value < endless ? -1 : endless), plies = !hurry ? NONE : hurry > 0 ? least : most;
    return e.value == sign * best && e.plies == plies + (plies < NONE) && (plies < NONE || e.value == endless);
}
int main(void) {
    for (char line[65536]; fgets(line, sizeof line, stdin) && *line != '\n';) {
        sscanf(line, "perfectplay strong solution %ld", &version); sscanf(line, "endless %ld", &endless);
        sscanf(line, "symmetries %ld", &symmetries); sscanf(line, "count %ld", &count);
        if (sscanf(line, "start %ld", &start) == 1 && (starts = realloc(starts, ++begins * 8))) starts[begins - 1] = start;
    }
    need(version == 1 && begins && (!symmetries || symmetries == MAPS) && count > 0
        && count < INT64_MAX / 32 / (MAPS + 1) && (set = malloc(count * (symmetries + 1) * sizeof *set)), "its header");
    for (i64 i = 0, s = 0; i < count; i++) {
        s += leb128(i > 0, INT64_MAX - s); i64 value = leb128(0, NONE - 2), plies = leb128(0, NONE - 2);
        set[entries++] = (struct entry){s, (int)(value >> 1 ^ -(value & 1)), plies ? (int)plies : NONE};
        for (int n = 0; n < symmetries; n++, entries++) { set[entries] = set[entries - 1]; set[entries].state = symmetry[n](s); }
    }
    need(getchar() == EOF, "it has more than it announces");
    if (symmetries) qsort(set, entries, sizeof *set, by_state);
    for (i64 i = 0; i < begins; i++) find(starts[i], 0);
    for (i64 i = 0; i < entries; i++) if (!right(set[i])) { printf("refused: state %ld\n", set[i].state); return 1; }
    printf("proved: %ld states; from %ld the value is %d\n", count, *starts, find(*starts, 0)->value);
}
