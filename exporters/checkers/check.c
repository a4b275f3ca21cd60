/* Checks a certificate: that a player, the owner, can get at least a goal from the start of a game.
     cc -O2 -include NAME.rules.h check.c -o check && zcat NAME.first | ./check       exit status 0: proved
   Why it is a proof. A state is good if it is in the file's set, or terminal with at least the goal for the
   owner. It is answered if the other player is to move, has a move, and every move leads to a good state. By
   the rules, each state of the set is terminal with the goal, or answered, or has an owner's move to a good
   or answered state; the start is good or answered. So the owner can make play return to good states, within
   two plies each time, and has the goal where play ends. If endless play is worth less, states have ranks,
   and each return lowers the rank or ends play: so play ends. Images under symmetries are checked, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct entry { i64 state; u64 above; } *table;  /* above: the rank plus 1, or 0 in a free slot */
static i64 size, start, owner, goal, endless, symmetries, ranked, count;
static struct entry *place(i64 s) {                            /* the slot of s, or the free one to put it */
    u64 at = (u64)s % size;
    while (table[at].above && table[at].state != s) at = at + 1 < (u64)size ? at + 1 : 0;
    return &table[at];
}
static int holds(i64 s, u64 bound, int moved) { /* moved: 0 for a state of the set, 1 after a move of the */
    if (moved && place(s)->above && place(s)->above <= bound) return 1;        /* owner, 2 after a reply */
    if (is_terminal(s)) return (owner ? -utility(s) : utility(s)) >= goal;
    int mine = to_move(s) == owner, moves = 0;
    for (int a = 0; a < ACTIONS && moved + mine < 2; a++)
        if (legal[a](s) && ++moves && holds(result[a](s), bound, mine ? 1 : 2) == mine) return mine;
    return !mine && moves;
}
static _Noreturn void refuse(const char *why, i64 what) { printf("refused: %s %ld\n", why, what); exit(1); }
static i64 leb128(int bytes) {                  /* what remains of a number of which so many bytes are read */
    int byte = getchar();
    if (byte == EOF || bytes == 9) refuse("it ends early, or has a number of over 63 bits; count", count);
    return (byte & 127) | (byte & 128 ? leb128(bytes + 1) << 7 : 0);
}
int main(void) {
    i64 state = 0, maps = sizeof symmetry / sizeof *symmetry - 1;
    char text[400] = "", again[400], *form = "start %ld\nowner %ld\ngoal %ld\nendless %ld\n"
        "symmetries %ld\nranks %ld\ntexts 0\ncount %ld\n\n";
    for (char *c = "perfectplay certificate 1\ngame *parameters *rules *play *"; *c; c++)    /* *: any text */
        if (*c == '*') scanf("%*[^\n]%*1[\n]"); else if (getchar() != *c) refuse("its header, count", count);
    for (int n = 0; n < 399 && (n < 2 || text[n - 1] != '\n' || text[n - 2] != '\n');) text[n++] = getchar();
    sscanf(text, form, &start, &owner, &goal, &endless, &symmetries, &ranked, &count);
    snprintf(again, 400, form, start, owner, goal, endless, symmetries, ranked, count);
    int must_end = goal > (owner ? -endless : endless);
    if (strcmp(text, again) || owner >> 1 || endless < -1 || endless > 1 || ranked >> 1 || must_end > ranked
        || start < 0 || (symmetries && symmetries != maps) || count >> 40) refuse("its header, count", count);
    if (!(table = calloc(size = 2 * count * (symmetries + 1) + 1, sizeof *table))) refuse("too many", count);
    for (i64 nth = 0, last = -1; nth < count; nth++, last = state) {
        if ((state = (i64)((u64)state + (u64)leb128(0))) <= last) refuse("states not ascending at", state);
        u64 above = ranked ? (u64)leb128(0) + 1 : 1;
        for (i64 n = 0; n <= symmetries; n++) {                               /* the state and its images */
            struct entry image = {n ? symmetry[n - 1](state) : state, above}, *old = place(image.state);
            if (!old->above || above < old->above) *old = image;
        }
    }
    for (struct entry *e = table; e < table + size; e++)
        if (e->above && !holds(e->state, must_end ? e->above - 1 : UINT64_MAX, 0)) refuse("state", e->state);
    if (getchar() != EOF || !holds(start, UINT64_MAX, 1)) refuse("its end, or the start", start);
    printf("proved by %ld state%s: from %ld the %s player gets at least %ld%s\n", count,
        count == 1 ? "" : "s", start, owner ? "second" : "first", goal, !endless ? "" : endless < 0
        ? " (second wins endless play)" : " (first wins endless play)");
}
