/* Twin of rowstats.apl. Arguments: n. A row of at most forty is sorted by insertion; nothing is
 * stored but where the rows of a block begin. */
#include "../c/apl_out.h"

enum { BLOCK = 256 };

static int64_t length(int64_t i) { return 1 + (int64_t)((uint64_t)i * (uint64_t)i % 1000003 / 7 % 40); }

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
    int64_t total = 0, most = 0, halves = 0, middle = 0, ranges = 0, range = 0;
    int64_t first[3][3];
#pragma omp parallel for reduction(+ : total, halves, ranges) reduction(max : most, middle, range)
    for (int64_t b = 0; b < blocks; b++) {
        uint64_t place = (uint64_t)at[b];
        for (int64_t i = b * BLOCK; i < (b + 1) * BLOCK && i < n; i++) {
            int32_t row[40];
            int m = (int)length(i + 1);
            int64_t sum = 0;
            for (int k = 0; k < m; k++) {
                uint64_t u = place + (uint64_t)k + 1;
                row[k] = (int32_t)((uint32_t)(7919 * u * u % 2147483647 / 5) % 10007);
                sum += row[k];
            }
            place += (uint64_t)m;
            for (int k = 1; k < m; k++) {
                int32_t x = row[k];
                int j = k;
                for (; j && row[j - 1] > x; j--) row[j] = row[j - 1];
                row[j] = x;
            }
            int64_t twice = row[(m + 1) / 2 - 1] + row[m / 2], r = row[m - 1] - row[0];
            total += sum, halves += twice, ranges += r;
            most = sum > most ? sum : most, middle = twice > middle ? twice : middle, range = r > range ? r : range;
            if (i < 3) first[0][i] = sum, first[1][i] = twice, first[2][i] = r;
        }
    }
    report_ms(start);
    apl_print((double)total, (double)most, (double)halves / 2, (double)middle / 2, (double)ranges, (double)range);
    double v[9];
    for (int i = 0; i < 9; i++) v[i] = (double)first[i / 3][i % 3] / (i / 3 == 1 ? 2 : 1);
    apl_vector(v, 9);
    return 0;
}
