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
 * independent partial sums, which vectorise. */
enum { LANES = 16 };

static inline double clipped(double x) {
    double s = 50 * (1 / (0.01 + x));
    s = s < 50 ? s : 50;
    return s > -50 ? s : -50;
}

static double signal_iota(int64_t n) {
    double total = 0;
#pragma omp parallel reduction(+ : total)
    {
        double sum[LANES] = {0};
#pragma omp for schedule(static)
        for (int32_t b = 0; b < (int32_t)(n / LANES); b++)
            for (int k = 0; k < LANES; k++) sum[k] += clipped(b * LANES + k + 1);
        for (int k = 0; k < LANES; k++) total += sum[k];
    }
    for (int64_t i = n / LANES * LANES + 1; i <= n; i++) total += clipped((double)i);
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
