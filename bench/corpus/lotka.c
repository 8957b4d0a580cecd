/* Twin of lotka.apl. Arguments: m, steps. All steps of 32 populations in registers. */
#include "../c/apl_out.h"

enum { L = 32 };

int main(int argc, char **argv) {
    int64_t m = size_arg(argc, argv, 1, 30), steps = size_arg(argc, argv, 2, 50);
    double start = now_ms(), hares = 0, foxes = 0, most = -INFINITY, least = INFINITY;
#pragma omp parallel for reduction(+ : hares, foxes) reduction(max : most) reduction(min : least)
    for (int64_t i0 = 0; i0 < m; i0 += L) {
        double a[L], b[L], born[L], killed[L];
        for (int l = 0; l < L; l++) {
            int64_t i = i0 + l + 1;
            born[l] = 0.9 + 0.2 * ((double)(i % 7) / 7), killed[l] = 0.4 + 0.1 * ((double)(i % 5) / 5);
            a[l] = 1 + (double)(i % 11) / 11, b[l] = 0.5;
        }
        for (int64_t s = 0; s < steps; s++)
#pragma omp simd
            for (int l = 0; l < L; l++) {
                double x = a[l], y = b[l];
                a[l] = x * (1 + 0.002 * (born[l] - killed[l] * y));
                b[l] = y * (1 + 0.002 * (0.5 * x - 1));
            }
        for (int l = 0; l < L && i0 + l < m; l++) {
            hares += a[l], foxes += b[l];
            most = a[l] > most ? a[l] : most;
            least = b[l] < least ? b[l] : least;
        }
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * hares), apl_round(0, 1e6 * foxes), apl_round(0, 1e6 * most), apl_round(0, 1e6 * least));
    return 0;
}
