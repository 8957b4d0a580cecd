/* Twin of ising.apl. Arguments: n, sweeps. Spins in bytes, five chances in a table, only the fields of one colour touched. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 16), sweeps = size_arg(argc, argv, 2, 5);
    double start = now_ms();
    int8_t *s = array_of((size_t)(n * n), 1);
    double *dice = array_of((size_t)(n * n), 8), chance[9];
    for (int64_t i = 0; i < n * n; i++) {
        s[i] = (i + 1) / 3 % 2 ? 1 : -1;
        dice[i] = (double)((uint64_t)(i + 1) * (uint64_t)(i + 1) % 65521) / 65521;
    }
    for (int e = -4; e <= 4; e++) chance[e + 4] = exp(-0.88 * (e > 0 ? e : 0));
    for (int64_t k = 0; k < 2 * sweeps; k++) {
        double shift = 0.618 * (double)k;
#pragma omp parallel for
        for (int64_t i = 0; i < n; i++) {
            int8_t *row = s + i * n;
            const int8_t *up = s + (i ? i - 1 : n - 1) * n, *down = s + (i < n - 1 ? i + 1 : 0) * n;
            /* fields whose places sum to an odd number have the turns of odd k */
            for (int64_t j = (i + k) % 2; j < n; j += 2) {
                int near = up[j] + down[j] + row[j ? j - 1 : n - 1] + row[j < n - 1 ? j + 1 : 0];
                double d = dice[i * n + j] + shift;
                d -= floor(d);
                row[j] = (int8_t)(chance[row[j] * near + 4] > d ? -row[j] : row[j]);
            }
        }
    }
    int64_t sum = 0, same = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            sum += s[i * n + j];
            same += s[i * n + j] == s[i * n + (j < n - 1 ? j + 1 : 0)];
        }
    report_ms(start);
    apl_print((double)sum, (double)same, (double)(2 * sweeps));
    return 0;
}
