/* Twin of sortrows.apl. Arguments: n. A row of at most sixty is sorted by insertion while it is in
 * the cache. */
#include "../c/apl_out.h"

enum { BLOCK = 256 };

static int64_t length(int64_t i) { return 1 + (int64_t)((uint64_t)i * (uint64_t)i % 1000003 / 11 % 60); }

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50), blocks = (n + BLOCK - 1) / BLOCK;
    double start = now_ms();
    int64_t *at = array_of((size_t)blocks + 1, sizeof *at);
    at[0] = 0;
    for (int64_t b = 0; b < blocks; b++) {
        int64_t sum = 0;
        for (int64_t i = b * BLOCK; i < (b + 1) * BLOCK && i < n; i++) sum += length(i + 1);
        at[b + 1] = at[b] + sum;
    }
    int64_t lows = 0, highs = 0, moved = 0, rises = 0, rise = 0, sum = 0, head[3] = {0};
#pragma omp parallel for reduction(+ : lows, highs, moved, rises, sum) reduction(max : rise)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t place = at[b];
        for (int64_t i = b * BLOCK; i < (b + 1) * BLOCK && i < n; i++) {
            int32_t was[60], row[60];
            int m = (int)length(i + 1);
            for (int k = 0; k < m; k++) {
                uint64_t u = (uint64_t)place + (uint64_t)k + 1;
                int32_t x = was[k] = (int32_t)((uint32_t)(7919 * u * u % 2147483647 / 5) % 100003);
                int j = k;
                for (; j && row[j - 1] > x; j--) row[j] = row[j - 1];
                row[j] = x;
            }
            int32_t most = 0;
            for (int k = 0; k < m; k++) {
                moved += row[k] != was[k];
                sum += row[k] * (place + k + 1);
                int32_t d = k ? row[k] - row[k - 1] : 0;
                most = d > most ? d : most;
                if (place + k < 3) head[place + k] = row[k];
            }
            place += m;
            lows += row[0], highs += row[m - 1], rises += most;
            rise = most > rise ? most : rise;
        }
    }
    report_ms(start);
    apl_print((double)lows, (double)highs, (double)moved, (double)rise, (double)rises);
    apl_print((double)sum, (double)head[0], (double)head[1], (double)head[2]);
    return 0;
}
