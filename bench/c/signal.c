/* Twin of testdata/programs/signal.apl. Arguments: n.
 * Timed: the whole computation; ⍳n is never stored. */
#include "apl_out.h"

static double signal_sum(const double *x, int64_t n) {
    double sum = 0, last = 0;
    for (int64_t i = 0; i < n; last = x[i++]) {
        double s = 50 * ((x[i] - last) / (0.01 + x[i]));
        s = s < 50 ? s : 50;
        sum += s > -50 ? s : -50;
    }
    return sum;
}

/* The same for x = 1 2 3 …, where every difference is 1: blocks with
 * independent partial sums in vectors, and x counted in them. */
enum { BLOCK = 1 << 16, VECTORS = 4, LANES = 4 * VECTORS };

static inline v4 clipped(v4 x) {
    const v4 fifty = {50, 50, 50, 50};
    return v4_max(v4_min(50 * (1 / (0.01 + x)), fifty), -fifty);
}

static double block_sum(int64_t from) {
    v4 x[VECTORS], sum[VECTORS] = {{0}};
    for (int v = 0; v < VECTORS; v++) x[v] = (double)(from + 4 * v) + (v4){1, 2, 3, 4};
    for (int i = 0; i < BLOCK; i += LANES)
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; v++) {
            sum[v] += clipped(x[v]);
            x[v] += LANES;
        }
    v4 total = sum[0] + sum[1] + sum[2] + sum[3];
    return total[0] + total[1] + total[2] + total[3];
}

static double signal_iota(int64_t n) {
    double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (int64_t b = 0; b < n / BLOCK; b++) total += block_sum(b * BLOCK);
    for (int64_t i = n / BLOCK * BLOCK + 1; i <= n; i++) total += clipped((v4){(double)i})[0];
    return total;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 1000);
    double start = now_ms();
    static const double thesis[] = {9, 8, 6, 8, 7, 4, 4, 3, 2, 2, 1, 2, 4, 5, 6};
    double a = signal_sum(thesis, 15), b = signal_iota(n);
    report_ms(start);
    apl_print(apl_round(6, a), apl_round(6, b));
    return 0;
}
