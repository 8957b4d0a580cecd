/* Twin of tariff.apl. Arguments: n. Prefixes and customers are places. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 150);
    double start = now_ms();
    static const int32_t price[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    static int32_t of[60], seen[501], order[500];
    static int64_t bill[501];
    for (int k = 0; k < 60; k++) of[k] = price[(k + 1) * (k + 1) % 12];
    int who = 0;
    uint32_t seconds = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t sq = (uint64_t)(i * i);
        uint32_t zone = (uint32_t)(sq % 65521) / 7 % 60, c = 1 + (uint32_t)(sq % 32749) / 3 % 500;
        seconds += 97;
        if (seconds >= 600) seconds -= 600;
        if (!seen[c]) seen[c] = 1, order[who++] = (int32_t)c;
        bill[c] += (int64_t)(((seconds + 60) / 60) * (uint32_t)of[zone]);
    }
    double top[10], sum = 0;
    int shown = who < 5 ? who : 5;
    for (int d = 0; d < who; d++) sum += (double)bill[order[d]];
    for (int r = 0; r < shown; r++) {
        int best = 0;
        for (int d = 0; d < who; d++)
            if (seen[order[d]] == 1 && (!best || bill[order[d]] > bill[best])) best = order[d];
        seen[best] = 2;
        top[r] = best, top[shown + r] = (double)bill[best];
    }
    report_ms(start);
    apl_vector(top, 2 * shown);
    apl_print(sum, (double)who);
    return 0;
}
