/* Twin of heat1.apl. Arguments: n, steps. Two copies of the rod that take turns. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60), steps = size_arg(argc, argv, 2, 100);
    double start = now_ms();
    double *a = array_of((size_t)n, 8), *b = array_of((size_t)n, 8);
    for (int64_t i = 0; i < n; i++) a[i] = i && i < n - 1 ? 100 : 0;
    b[0] = b[n - 1] = 0;
    for (int64_t s = 0; s < steps; s++) {
        double *restrict y = b;
        const double *restrict x = a;
        for (int64_t i = 1; i < n - 1; i++) y[i] = (0.25 * x[i - 1] + 0.5 * x[i]) + 0.25 * x[i + 1];
        b = a, a = y;
    }
    double sum = 0, most = -INFINITY;
    for (int64_t i = 0; i < n; i++) sum += a[i], most = a[i] > most ? a[i] : most;
    report_ms(start);
    apl_print(apl_round(0, 1e6 * sum), apl_round(0, 1e6 * most), apl_round(0, 1e6 * a[n / 2 - 1]));
    return 0;
}
