/* Twin of covar.apl. Arguments: n. Sums, then products of deviations for half of the pairs, in registers for blocks of rows. */
#include "../c/apl_out.h"

enum { K = 12 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    double *x = array_of((size_t)(n * K), 8), mean[K] = {0}, c[K][K] = {{0}};
    for (int64_t r = 0; r < n; r++)
        for (int j = 0; j < K; j++) {
            uint64_t i = (uint64_t)(r * K + j);
            double v = (double)((i + 1) * (i + 1) % 16381) / 16381 + (double)(i % (uint64_t)n + 1) / (double)n;
            x[i] = v;
            mean[j] += v;
        }
    for (int j = 0; j < K; j++) mean[j] /= (double)n;
    for (int64_t r = 0; r < n; r++) {
        double d[K];
        for (int j = 0; j < K; j++) d[j] = x[r * K + j] - mean[j];
#pragma GCC unroll 12
        for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) c[i][j] += d[i] * d[j];
    }
    double sum = 0, best = -INFINITY;
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) {
            double cor = c[i][j] / (sqrt(c[i][i]) * sqrt(c[j][j])), o = i == j ? 0 : cor;
            sum += cor;
            best = o > best ? o : best;
        }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * sum), apl_round(0, 1e6 * best));
    return 0;
}
