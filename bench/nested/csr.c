/* Twin of csr.apl. Arguments: n. Columns are 32-bit numbers, values bytes in sixteenths. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 80);
    double start = now_ms();
    int64_t *at = array_of((size_t)n + 1, sizeof *at);
    at[0] = 0;
    for (int64_t i = 1; i <= n; i++) at[i] = at[i - 1] + 1 + (int64_t)((uint64_t)i * (uint64_t)i % 65521 / 7 % 31);
    int32_t *col = array_of((size_t)at[n], sizeof *col);
    uint8_t *val = array_of((size_t)at[n], 1);
#pragma omp parallel for
    for (int64_t i = 1; i <= at[n]; i++) {
        uint64_t u = (uint64_t)i;
        col[i - 1] = (int32_t)((uint32_t)(7919 * u * u % 2147483647 / 5) % (uint32_t)n);
        val[i - 1] = (uint8_t)(1 + u * (31 + u) % 1000003 / 7 % 16);
    }
    double *v = array_of((size_t)n, sizeof *v), *y = array_of((size_t)n, sizeof *y);
    for (int64_t i = 0; i < n; i++) v[i] = 1;
    for (int s = 0; s < 10; s++) {
        double most = -INFINITY;
#pragma omp parallel for reduction(max : most)
        for (int64_t r = 0; r < n; r++) {
            double sum = 0;
            for (int64_t j = at[r]; j < at[r + 1]; j++) sum += val[j] * v[col[j]];
            y[r] = sum / 16;
            most = y[r] > most ? y[r] : most;
        }
        for (int64_t r = 0; r < n; r++) v[r] = y[r] / most;
    }
    double sum = 0, least = INFINITY;
    for (int64_t r = 0; r < n; r++) sum += v[r], least = v[r] < least ? v[r] : least;
    report_ms(start);
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * least), floor(0.5 + 1e6 * v[0]), floor(0.5 + 1e6 * v[1]), floor(0.5 + 1e6 * v[n - 1]));
    return 0;
}
