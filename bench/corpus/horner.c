/* Twin of horner.apl. Arguments: n. Horner's rule on vectors, all in registers. */
#include "../c/apl_out.h"

enum { L = 16 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    double c[13], f = 1;
    for (int k = 0; k < 13; k++) {
        f = k ? f * k : 1;
        c[12 - k] = 1 / f;
    }
    double least = INFINITY, most = -INFINITY, sum = 0;
    int64_t changes = 0;
#pragma omp parallel for reduction(+ : sum, changes) reduction(min : least) reduction(max : most)
    for (int64_t b = 0; b < n; b += L) {
        double y[L + 1], x[L + 1];
        for (int l = 0; l <= L; l++) x[l] = -4 + 8.0 * (double)(b + l + 1) / (double)n, y[l] = c[0];
#pragma GCC unroll 12
        for (int k = 1; k < 13; k++)
            for (int l = 0; l <= L; l++) y[l] = y[l] * x[l] + c[k];
        for (int l = 0; l < L && b + l < n; l++) {
            sum += y[l];
            least = y[l] < least ? y[l] : least;
            most = y[l] > most ? y[l] : most;
            if (b + l + 1 < n) changes += ((y[l] > 1) - (y[l] < 1)) != ((y[l + 1] > 1) - (y[l + 1] < 1));
        }
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * least), apl_round(0, 1e6 * most), apl_round(0, 1e6 * (sum / (double)n)));
    apl_print((double)changes);
    return 0;
}
