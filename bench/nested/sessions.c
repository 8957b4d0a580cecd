/* Twin of sessions.apl. Arguments: n. The last visit of each user; sessions end as they come. */
#include "../c/apl_out.h"

typedef struct { int32_t first, last, size, sessions; } User;

static int64_t sum, one;
static int longest, biggest;

static void ended(const User *x) {
    int l = x->last - x->first;
    sum += l, one += x->size == 1;
    longest = l > longest ? l : longest, biggest = x->size > biggest ? x->size : biggest;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 2000), users = (n + 39) / 40, unit = (n + 399) / 400;
    double start = now_ms();
    User *u = array_of((size_t)users, sizeof *u);
    memset(u, 0, (size_t)users * sizeof *u);
    int64_t known = 0, count = 0, t = 0;
    int most = 0;
    for (int64_t i = 1; i <= n; i++) {
        User *x = u + (i * i % 1000003) / 3 % users;
        t += (i * i % 65521) / 11 % 97;
        int32_t at = (int32_t)((uint32_t)t / (uint32_t)unit);
        if (!x->size || at - x->last > 30) {
            if (x->size) ended(x);
            else known++;
            x->first = at, x->size = 0, x->sessions++, count++;
        }
        x->last = at, x->size++;
    }
    for (User *x = u; x < u + users; x++) {
        if (!x->size) continue;
        ended(x);
        most = x->sessions > most ? x->sessions : most;
    }
    report_ms(start);
    apl_print((double)known, (double)count, most, (double)sum, longest, biggest, (double)one);
    return 0;
}
