/* Twin of brackets.apl. Arguments: n. One pass, nothing stored. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 400);
    double start = now_ms();
    static const int8_t step[10] = {1, 1, 0, 1, -1, -1, -1, 0, 0, 0};
    int64_t depth = 0, most = INT64_MIN, least = INT64_MAX, times = 0, where = 0, lines = 0;
    int inside = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint32_t k = (uint32_t)i + (uint32_t)((uint64_t)i * (uint64_t)i % 65521) / 7;
        int c = (int)(k % 10);
        depth += step[c];
        least = depth < least ? depth : least;
        if (depth > most) most = depth, times = 0, where = i;
        times += depth == most;
        int now = c != 9;
        lines += now & !inside;
        inside = now;
    }
    report_ms(start);
    apl_print((double)most, (double)least, (double)times, (double)where);
    apl_scalar((double)lines);
    return 0;
}
